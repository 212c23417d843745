package builder

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/answer"
)

func ok(o string) history.Response { return history.Response{Code: 201, Object: json.RawMessage(o)} }

func verdict(t *testing.T, scenario, id string, b *historytest.Builder, want suites.Verdict) {
	t.Helper()
	s, found := suites.ScenarioByName(scenario)
	if !found {
		t.Fatalf("no scenario %s", scenario)
	}
	var got suites.Verdict
	var said []suites.Finding
	for _, f := range s.Judge(b.View()) {
		if f.Requirement == id {
			said = append(said, f)
			if got == "" || f.Verdict.Worse(got) {
				got = f.Verdict
			}
		}
	}
	if got != want {
		t.Errorf("%s is %s, want %s: %+v", id, got, want, said)
	}
}

const template = `{"name":"replica","schedulingPolicy":{"gang":{"minCount":3}},"disruptionMode":{"all":{}}}`

// created tells of a flat workload and its two groups; the second group's spec is given.
func created(second string) *historytest.Builder {
	b := historytest.New().Try("Workload "+flat, "create", "workloads", flat, ok(`{"spec":{"controllerRef":{"kind":"ConfigMap","name":"fleet"},"podGroupTemplates":[`+template+`]}}`))
	spec := `{"spec":{"schedulingPolicy":{"gang":{"minCount":3}},"disruptionMode":{"all":{}},"workloadRef":{"workloadName":"fleet","templateName":"replica"}}}`
	b.Try("PodGroup "+groupName(0), "create", "podgroups", groupName(0), ok(spec))
	if second == "" {
		second = spec
	}
	return b.Try("PodGroup "+groupName(1), "create", "podgroups", groupName(1), ok(second))
}

func TestCopies(t *testing.T) {
	verdict(t, "builder-objects", "WLB-001", created(""), suites.Pass)
	verdict(t, "builder-objects", "WLB-001", created(`{"spec":{"schedulingPolicy":{"gang":{"minCount":1}},"disruptionMode":{"all":{}},"workloadRef":{"workloadName":"fleet","templateName":"replica"}}}`), suites.Fail)
	verdict(t, "builder-objects", "WLB-001", created(`{"spec":{"schedulingPolicy":{"gang":{"minCount":3}},"disruptionMode":{"all":{}}}}`), suites.Fail)
	verdict(t, "builder-objects", "WLB-001", historytest.New(), suites.Inconclusive)
}

// What was sent stands in the record beside the answer; stories keep answers only, so the judge is asked about a view in
// which both are the same or are not.
func TestStored(t *testing.T) {
	refused := historytest.New().Try("Workload "+flat, "create", "workloads", flat, history.Response{Code: 422, Reason: "Invalid"})
	verdict(t, "builder-objects", "WLB-002", refused, suites.Fail)
	verdict(t, "builder-objects", "WLB-002", historytest.New(), suites.Inconclusive)
	for sent, want := range map[string]suites.Verdict{
		`{"spec":{"controllerRef":{"kind":"ConfigMap","name":"fleet"},"podGroupTemplates":[` + template + `]}}`: suites.Pass,
		`{"spec":{"controllerRef":{"kind":"ConfigMap","name":"fleet"},"podGroupTemplates":[]}}`:                 suites.Fail,
	} {
		v := created("").View()
		for i, a := range v.Actions {
			if a.Value.Action != nil && a.Value.Action.Label == "Workload "+flat {
				v.Actions[i].Value.Object = json.RawMessage(sent)
			}
		}
		if f := judgeStored(v); f.Verdict != want {
			t.Errorf("sent %s: %+v, want %s", sent, f, want)
		}
	}
}

func TestCollected(t *testing.T) {
	tell := func(pods, groups bool, workload int) *historytest.Builder {
		b := historytest.New()
		for i := range replicas {
			b.Gang(groupName(i), size)
			for n := range size {
				b.Pod(fmt.Sprintf("%s-%d", groupName(i), n), groupName(i))
			}
		}
		b.Mark("made")
		for i := range replicas {
			for n := range size {
				if pods {
					b.Gone(fmt.Sprintf("%s-%d", groupName(i), n))
				}
			}
			if groups {
				b.GangGone(groupName(i))
			}
		}
		return b.Try("workload after", "patch", "workloads", flat, history.Response{Code: workload}).Mark("over")
	}
	verdict(t, "builder-objects", "WLB-005", tell(true, true, 404), suites.Pass)
	verdict(t, "builder-objects", "WLB-005", tell(false, true, 404), suites.Fail)
	verdict(t, "builder-objects", "WLB-005", tell(true, false, 404), suites.Fail)
	verdict(t, "builder-objects", "WLB-005", tell(true, true, 200), suites.Fail)
	verdict(t, "builder-objects", "WLB-005", historytest.New(), suites.Inconclusive)
}

func TestTree(t *testing.T) {
	tell := func(parent string, root history.Response) *historytest.Builder {
		leaf := func(name string) string {
			return fmt.Sprintf(`{"name":%q,"schedulingPolicy":{"gang":{"minCount":1}},"disruptionMode":{"all":{}}}`, name)
		}
		b := historytest.New().Try("Workload "+nested, "create", "workloads", nested, ok(
			`{"spec":{"compositePodGroupTemplates":[{"name":"root","schedulingPolicy":{"gang":{"minGroupCount":2}},"podGroupTemplates":[`+leaf("leaders")+`,`+leaf("workers")+`]}]}}`))
		b.Try("CompositePodGroup tree-root", "create", "compositepodgroups", "tree-root", root)
		for _, n := range []string{"leaders", "workers"} {
			b.Try("PodGroup tree-"+n, "create", "podgroups", "tree-"+n, ok(fmt.Sprintf(
				`{"spec":{"parentCompositePodGroupName":%q,"schedulingPolicy":{"gang":{"minCount":1}},"disruptionMode":{"all":{}}}}`, parent)))
		}
		return b
	}
	root := ok(`{"spec":{"schedulingPolicy":{"gang":{"minGroupCount":2}}}}`)
	verdict(t, "builder-objects", "WLB-006", tell("tree-root", root), suites.Pass)
	verdict(t, "builder-objects", "WLB-006", tell("", root), suites.Fail)
	verdict(t, "builder-objects", "WLB-006", tell("tree-root", history.Response{Code: 422, Reason: "Invalid"}), suites.Fail)
	verdict(t, "builder-objects", "WLB-006", historytest.New(), suites.Inconclusive)
}

func TestReplicas(t *testing.T) {
	gpu := historytest.Wants("nvidia.com/gpu=1")
	// bound are the pods of the second replica that are bound although there is no room for all of them.
	tell := func(first, bound int, both bool) *historytest.Builder {
		b := historytest.New().Nodes(size+1, historytest.Has("nvidia.com/gpu=1")).Mark("empty")
		for i := range replicas {
			b.Gang(groupName(i), size)
			for n := range size {
				b.Pod(fmt.Sprintf("%s-%d", groupName(i), n), groupName(i), gpu)
			}
		}
		node := 0
		place := func(i, from, to int) {
			for n := from; n < to; n++ {
				b.Bind(fmt.Sprintf("%s-%d", groupName(i), n), fmt.Sprintf("node-%d", node))
				node++
			}
		}
		place(0, 0, first)
		place(1, 0, bound)
		b.Mark("one runs").Mark("watching").Hold("", time.Minute).Mark("watched").Nodes(2, historytest.Has("nvidia.com/gpu=1"))
		if both {
			place(0, first, size)
			place(1, bound, size)
		}
		return b.Mark("both run")
	}
	verdict(t, "builder-replicas", "WLB-003", tell(size, 0, true), suites.Pass)
	verdict(t, "builder-replicas", "WLB-003", tell(size, 1, true), suites.Fail)
	verdict(t, "builder-replicas", "WLB-003", tell(0, 0, true), suites.Fail)
	verdict(t, "builder-replicas", "WLB-003", tell(size, 0, false), suites.Fail)
	verdict(t, "builder-replicas", "WLB-003", historytest.New(), suites.Inconclusive)
}

func TestJobs(t *testing.T) {
	// A job whose group is "-" has no pods at all.
	tell := func(groups [2]string, quorum int32) *historytest.Builder {
		b := historytest.New()
		made := map[string]bool{}
		for i, g := range groups {
			job := fmt.Sprintf("set-%d", i)
			b.Try("Job "+job, "create", "jobs", job, history.Response{Code: 201})
			if g == "-" {
				continue
			}
			if g != "" && !made[g] {
				made[g] = true
				b.Gang(g, quorum, func(o answer.Object) {
					o["spec"].(answer.Object)["disruptionMode"] = answer.Object{"all": answer.Object{}}
				})
			}
			for n := range setPods {
				b.Pod(fmt.Sprintf("%s-%d", job, n), g, func(p *corev1.Pod) { p.Labels = map[string]string{batchv1.JobNameLabel: job} })
			}
		}
		return b.Mark("started")
	}
	verdict(t, "builder-jobs", "WLB-004", tell([2]string{"a", "b"}, setPods), suites.Pass)
	verdict(t, "builder-jobs", "WLB-004", tell([2]string{"a", "a"}, setPods), suites.Fail)
	verdict(t, "builder-jobs", "WLB-004", tell([2]string{"a", ""}, setPods), suites.Fail)
	verdict(t, "builder-jobs", "WLB-004", tell([2]string{"a", "b"}, 1), suites.Fail)
	verdict(t, "builder-jobs", "WLB-004", tell([2]string{"a", "-"}, setPods), suites.Fail)
	verdict(t, "builder-jobs", "WLB-004", tell([2]string{"-", "-"}, setPods), suites.Inconclusive)
	verdict(t, "builder-jobs", "WLB-004", historytest.New(), suites.Inconclusive)
}
