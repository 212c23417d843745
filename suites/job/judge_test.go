package job

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit"
)

// made is what became of a Job in a story.
type made struct {
	name string
	pods int
	// group the pods name; empty: none. loose pods name none although there is a group. noOwner: the pods are not owned by it.
	group          string
	loose, noOwner bool
	minCount       int32
	// more is JSON that stands in the group's spec (with a comma at its end), owners those of the group.
	more, owners string
	// strangerOwns: the Workload is nobody's.
	strangerOwns bool
	// podsFirst: the pods are there before the group.
	podsFirst bool
	priority  int32
	class     string
}

func ok(format string, args ...any) history.Response {
	return history.Response{Code: 200, Object: json.RawMessage(fmt.Sprintf(format, args...))}
}

// told adds the Job's story: created, its group, its pods, and what the driver read of the group and its Workload.
func (m made) told(b *historytest.Builder) *historytest.Builder {
	b.Try("create "+m.name, "create", "jobs", m.name, history.Response{Code: 201, UID: "uid-of-" + m.name})
	group := func() {
		switch {
		case m.group == "":
		case m.minCount > 0:
			b.Gang(m.group, m.minCount)
		default:
			b.Basic(m.group)
		}
	}
	if !m.podsFirst {
		group()
	}
	for i := range m.pods {
		gang := m.group
		if m.loose {
			gang = ""
		}
		b.Pod(fmt.Sprintf("%s-%d", m.name, i), gang, m.pod)
	}
	if m.podsFirst {
		group()
	}
	b.Await("the pods of "+m.name, time.Second, m.pods > 0)
	if m.group == "" || m.loose {
		return b
	}
	policy := `"basic":{}`
	if m.minCount > 0 {
		policy = fmt.Sprintf(`"gang":{"minCount":%d}`, m.minCount)
	}
	owners := m.owners
	if owners == "" {
		owners = fmt.Sprintf(`{"uid":"uid-of-%s","controller":true},{"uid":"uid-of-workload"}`, m.name)
	}
	by := fmt.Sprintf(`{"uid":"uid-of-%s","controller":true}`, m.name)
	if m.strangerOwns {
		by = ""
	}
	b.Try("group of "+m.name, "patch", "podgroups", m.group, ok(
		`{"metadata":{"name":%q,"uid":"uid-of-group","ownerReferences":[%s]},"spec":{%s"schedulingPolicy":{%s},"workloadRef":{"workloadName":"w","templateName":"t"}}}`,
		m.group, owners, m.more, policy))
	return b.Try("workload of "+m.name, "patch", "workloads", "w", ok(
		`{"metadata":{"name":"w","uid":"uid-of-workload","ownerReferences":[%s]},"spec":{"controllerRef":{"apiGroup":"batch","kind":"Job","name":%q},"podGroupTemplates":[{"name":"t","schedulingPolicy":{%s}}]}}`,
		by, m.name, policy))
}

func (m made) pod(p *corev1.Pod) {
	yes := true
	p.Labels = map[string]string{batchv1.JobNameLabel: m.name}
	p.OwnerReferences = []metav1.OwnerReference{{UID: types.UID("uid-of-" + m.name), Controller: &yes}}
	if !m.noOwner {
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{UID: "uid-of-group"})
	}
	p.Spec.PriorityClassName = m.class
	p.Spec.Priority = &m.priority
}

// story is what the judge of a scenario has to say about a record.
type story struct {
	name string
	tell *historytest.Builder
	id   string
	want suites.Verdict
}

func judged(t *testing.T, scenario string, stories []story) {
	t.Helper()
	s, found := suites.ScenarioByName(scenario)
	if !found {
		t.Fatalf("no scenario %s", scenario)
	}
	told := map[string]map[suites.Verdict]bool{}
	for _, st := range stories {
		t.Run(st.name, func(t *testing.T) {
			var got suites.Verdict
			var said []suites.Finding
			for _, f := range s.Judge(st.tell.View()) {
				if f.Requirement == st.id {
					said = append(said, f)
					if got == "" || f.Verdict.Worse(got) {
						got = f.Verdict
					}
				}
			}
			if got != st.want {
				t.Errorf("%s is %s, want %s: %+v", st.id, got, st.want, said)
			}
		})
		if told[st.id] == nil {
			told[st.id] = map[suites.Verdict]bool{}
		}
		told[st.id][st.want] = true
	}
	for _, id := range s.Requirements {
		if id == "JOB-002" || id == "JOB-028" { // observed, not judged
			continue
		}
		want := []suites.Verdict{suites.Pass, suites.Fail}
		if told[id][suites.Observed] { // a MAY: catalogue and findings agree, or the run says Error
			want = []suites.Verdict{suites.Observed, suites.Inconclusive}
		}
		for _, v := range want {
			if !told[id][v] {
				t.Errorf("%s: no story ends with %s for %s", scenario, v, id)
			}
		}
	}
}

func TestEmptyRecordsProveNothing(t *testing.T) {
	for _, s := range suites.Scenarios() {
		if s.Profile != "job" {
			continue
		}
		for _, f := range s.Judge(historytest.New().Wait(time.Minute).View()) {
			if f.Verdict != suites.Inconclusive {
				t.Errorf("%s: %s of an empty record is %s: %s", s.Name, f.Requirement, f.Verdict, f.Message)
			}
		}
	}
}

func TestCompiled(t *testing.T) {
	start := func(ms ...made) *historytest.Builder {
		b := historytest.New()
		for _, m := range ms {
			b = m.told(b)
		}
		return b
	}
	beside := func(m made) *historytest.Builder { return m.told(historytest.New().Basic(theirs)) }
	good := made{name: "plain", pods: 2, group: "g"}
	with := func(m made, f func(*made)) *historytest.Builder { f(&m); return start(m) }
	wholeGood := made{name: "whole", pods: 3, group: "g", minCount: 3}
	togetherGood := made{name: "together", pods: 3, group: "g", minCount: 2, more: `"disruptionMode":{"all":{}},`}
	rackedGood := made{name: "racked", pods: 1, group: "g", minCount: 1, more: `"schedulingConstraints":{"topology":[{"key":"example.org/rack"}]},`}
	claimGood := made{name: "claiming", pods: 1, group: "g", more: `"resourceClaims":[{"name":"c","resourceClaimName":"one"}],`}
	rankGood := made{name: "ranked", pods: 1, group: "g", class: "high", priority: 4100, more: `"priorityClassName":"high","priority":4100,`}
	judged(t, "job-compiled", []story{
		{"all of them in a basic group", start(good), "JOB-001", suites.Pass},
		{"none in a group", with(good, func(m *made) { m.group = "" }), "JOB-001", suites.Fail},
		{"pods that do not join", with(good, func(m *made) { m.loose = true }), "JOB-001", suites.Fail},
		{"a gang nobody asked for", with(good, func(m *made) { m.minCount = 2 }), "JOB-001", suites.Fail},
		{"no pods", with(good, func(m *made) { m.pods = 0 }), "JOB-001", suites.Inconclusive},
		{"names", start(good), "JOB-002", suites.Observed},
		{"events", withEvents(start(good), `{"items":[]}`), "JOB-028", suites.Observed},
		{"events that nobody looked up", start(good), "JOB-028", suites.Inconclusive},
		{"events that were not kept", withEvents(start(good), ``), "JOB-028", suites.Inconclusive},
		{"events of a job without a group", withEvents(with(good, func(m *made) { m.group = "" }), `{"items":[]}`), "JOB-028", suites.Inconclusive},
		{"owned", start(good), "JOB-003", suites.Pass},
		{"a workload of nobody", with(good, func(m *made) { m.strangerOwns = true }), "JOB-003", suites.Fail},
		{"owned twice", start(good), "JOB-004", suites.Pass},
		{"owned by the job alone", with(good, func(m *made) { m.owners = `{"uid":"uid-of-plain","controller":true}` }), "JOB-004", suites.Fail},
		{"controlled by the workload", with(good, func(m *made) { m.owners = `{"uid":"uid-of-workload","controller":true},{"uid":"uid-of-plain"}` }), "JOB-004", suites.Fail},
		{"no group to own", with(good, func(m *made) { m.group = "" }), "JOB-004", suites.Inconclusive},
		{"pods owned twice", start(good), "JOB-005", suites.Pass},
		{"pods owned by the job alone", with(good, func(m *made) { m.noOwner = true }), "JOB-005", suites.Fail},
		{"as many as run", start(wholeGood), "JOB-006", suites.Pass},
		{"fewer than run", with(wholeGood, func(m *made) { m.minCount = 1 }), "JOB-006", suites.Fail},
		{"all together", start(togetherGood), "JOB-024", suites.Pass},
		{"the mode is lost", with(togetherGood, func(m *made) { m.more = "" }), "JOB-024", suites.Fail},
		{"the count is lost", with(togetherGood, func(m *made) { m.minCount = 3 }), "JOB-024", suites.Fail},
		{"one rack", start(rackedGood), "JOB-036", suites.Pass},
		{"any rack", with(rackedGood, func(m *made) { m.more = "" }), "JOB-036", suites.Fail},
		{"a claim", start(claimGood), "JOB-032", suites.Pass},
		{"no claim", with(claimGood, func(m *made) { m.more = "" }), "JOB-032", suites.Fail},
		{"ranked", start(rankGood), "JOB-023", suites.Pass},
		{"unranked group", with(rankGood, func(m *made) { m.more = "" }), "JOB-023", suites.Fail},
		{"unranked pods", with(rankGood, func(m *made) { m.priority = 0 }), "JOB-023", suites.Inconclusive},
		{"group first", start(good), "JOB-035", suites.Pass},
		{"no more than are made", start(made{name: "narrow", pods: 2, group: "g", minCount: 2}), "JOB-041", suites.Pass},
		{"more than are made", start(made{name: "narrow", pods: 2, group: "g", minCount: 3}), "JOB-041", suites.Fail},
		{"no gang", start(made{name: "narrow", pods: 2, group: "g"}), "JOB-041", suites.Inconclusive},
		{"a group of its own", beside(made{name: "claimed", pods: 1, group: "g"}), "JOB-020", suites.Pass},
		{"the group of others", start(made{name: "claimed", pods: 1, group: theirs}), "JOB-020", suites.Fail},
		{"the workload of others", beside(made{name: "claimed", pods: 1, group: "g", strangerOwns: true}), "JOB-020", suites.Fail},
		{"no others", start(made{name: "claimed", pods: 1, group: "g"}), "JOB-020", suites.Inconclusive},
		{"pods first", with(good, func(m *made) { m.podsFirst = true }), "JOB-035", suites.Fail},
	})
}

// withEvents is the story with Events that were looked up in the end.
func withEvents(b *historytest.Builder, list string) *historytest.Builder {
	return b.Try(kit.EventLook(0), history.VerbList, "events", "", history.Response{Code: 200, Object: json.RawMessage(list)})
}

// What people read of the Events of a Job: each kind once, in one order.
func TestEventsOfAJob(t *testing.T) {
	of := func(kind, name, reason string) string {
		return fmt.Sprintf(`{"type":"Normal","reason":%q,"regarding":{"kind":%q,"name":%q}}`, reason, kind, name)
	}
	list := []string{of("Job", "plain", "WorkloadCreated"), of("Job", "plain", "SuccessfulCreate"), of("Job", "plain", "SuccessfulCreate"),
		of("Job", "whole", "Other"), of("PodGroup", "g", "Made"), of("Pod", "plain", "Other"), of("Workload", "elsewhere", "Other")}
	const want = "of the Job: Normal SuccessfulCreate, Normal WorkloadCreated; of its group and Workload: Normal Made"
	v := withEvents(made{name: "plain", pods: 2, group: "g"}.told(historytest.New()), `{"items":[`+strings.Join(list, ",")+`]}`).View()
	if f := judgeEvents(v); f.Value != want {
		t.Errorf("observed %+v, want %q", f, want)
	}
}
