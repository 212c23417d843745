package job

import (
	"slices"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/answer"
	"muster/workloads/dialect"
)

func TestElastic(t *testing.T) {
	tell := func(name string, from, to int32) *historytest.Builder {
		n := 4
		if name == "implied" {
			n = 3
		}
		b := made{name: name, pods: n, group: "g", minCount: from}.told(historytest.New())
		if to != from {
			b.Quorum("g", to)
		}
		return b.Mark("followed")
	}
	judged(t, "job-elastic", []story{
		{"follows", tell("counted", 3, 2), "JOB-008", suites.Pass},
		{"stays", tell("counted", 3, 3), "JOB-008", suites.Fail},
		{"began elsewhere", tell("counted", 2, 2), "JOB-008", suites.Inconclusive},
		{"follows the parallelism", tell("implied", 3, 2), "JOB-009", suites.Pass},
		{"stays as it was", tell("implied", 3, 3), "JOB-009", suites.Fail},
	})
}

func TestSuspended(t *testing.T) {
	first := func(group, pods bool) *historytest.Builder {
		b := historytest.New().Try("create sleeper", "create", "jobs", "sleeper", history.Response{Code: 201, UID: "uid-of-sleeper"})
		if group {
			b.Gang("g", 2)
		}
		if pods {
			b.Pod("early", "g", made{name: "sleeper"}.pod)
		}
		return b.Mark("asleep")
	}
	again := func(inGroup bool, workload string) *historytest.Builder {
		m := made{name: "sleeper", pods: 2, group: "g", minCount: 2}
		b := m.told(historytest.New()).Mark("awake")
		b.Gone("sleeper-0").Gone("sleeper-1").Mark("asleep again")
		gang := "g"
		if !inGroup {
			gang = ""
		}
		b.Pod("back-0", gang, m.pod).Pod("back-1", gang, m.pod)
		b.Try("group of resumed sleeper", "patch", "podgroups", "g", ok(`{"metadata":{"name":"g"}}`))
		b.Try("workload of resumed sleeper", "patch", "workloads", "w", ok(`{"metadata":{"uid":%q}}`, workload))
		return b.Mark("awake again")
	}
	judged(t, "job-suspended", []story{
		{"a group and no pod", first(true, false), "JOB-017", suites.Pass},
		{"no group", first(false, false), "JOB-017", suites.Fail},
		{"a pod too early", first(true, true), "JOB-017", suites.Fail},
		{"back in the group", again(true, "uid-of-workload"), "JOB-018", suites.Pass},
		{"back without a group", again(false, "uid-of-workload"), "JOB-018", suites.Fail},
		{"another workload", again(true, "uid-of-another"), "JOB-018", suites.Fail},
	})
}

func TestRestarted(t *testing.T) {
	tell := func(restart bool, after func(*historytest.Builder, made)) *historytest.Builder {
		m := made{name: "lasting", pods: 2, group: "g", minCount: 2}
		b := m.told(historytest.New()).Mark("before")
		if restart {
			b.Break(suites.ControllerManager).Mend(suites.ControllerManager)
		}
		b.Basic("h").Pod("waiting-0", "h", made{name: "waiting"}.pod)
		after(b, m)
		return b.Mark("watched")
	}
	one := func(b *historytest.Builder, m made) { b.Pod("lasting-2", "g", m.pod) }
	judged(t, "job-controller-restarted", []story{
		{"one more in the group", tell(true, one), "JOB-019", suites.Pass},
		{"no restart", tell(false, one), "JOB-019", suites.Inconclusive},
		{"none comes", tell(true, func(*historytest.Builder, made) {}), "JOB-019", suites.Fail},
		{"a pod made twice", tell(true, func(b *historytest.Builder, m made) { one(b, m); b.Pod("lasting-3", "g", m.pod) }), "JOB-019", suites.Fail},
		{"a second group", tell(true, func(b *historytest.Builder, m made) { b.Gang("g2", 2).Pod("lasting-2", "g2", m.pod) }), "JOB-019", suites.Fail},
		{"a group left over", tell(true, func(b *historytest.Builder, m made) { one(b, m); b.Gang("g2", 2) }), "JOB-019", suites.Fail},
	})
}

func TestLate(t *testing.T) {
	tell := func(restart bool, lastIn, resumed string) *historytest.Builder {
		pod := func(b *historytest.Builder, name, gang, job string) { b.Pod(name, gang, made{name: job}.pod) }
		b := historytest.New()
		pod(b, "early-0", "", "early")
		b.Mark("started early")
		for _, job := range []string{"twice", "double", "pair"} {
			b.Try("create "+job, "create", "jobs", job, history.Response{Code: 201})
		}
		if restart {
			b.Break(suites.ControllerManager).Mend(suites.ControllerManager)
		}
		b.Basic("l").Basic("e").Gone("early-0")
		pod(b, "last-0", lastIn, "last")
		if resumed != "none" {
			pod(b, "early-1", resumed, "early")
		}
		pod(b, "twice-0", "", "twice")
		return b.Mark("watched")
	}
	judged(t, "job-controller-late", []story{
		{"it stays without", tell(true, "l", ""), "JOB-016", suites.Observed},
		{"it gets one", tell(true, "l", "e"), "JOB-016", suites.Observed},
		{"it gets no further pod", tell(true, "l", "none"), "JOB-016", suites.Inconclusive},
		{"no restart", tell(false, "l", ""), "JOB-016", suites.Inconclusive},
		{"the controller makes no groups", tell(true, "", ""), "JOB-016", suites.Inconclusive},
		{"two workloads", tell(true, "l", ""), "JOB-021", suites.Observed},
		{"two workloads, and the controller makes no groups", tell(true, "", ""), "JOB-021", suites.Inconclusive},
		{"two templates", tell(true, "l", ""), "JOB-022", suites.Observed},
		{"two groups", tell(true, "l", ""), "JOB-045", suites.Observed},
		{"two groups, and no restart", tell(false, "l", ""), "JOB-045", suites.Inconclusive},
		{"two templates, and no restart", tell(false, "l", ""), "JOB-022", suites.Inconclusive},
	})
}

func TestOwners(t *testing.T) {
	tell := func(m made, after func(*historytest.Builder)) *historytest.Builder {
		b := m.told(historytest.New())
		if after != nil {
			after(b)
		}
		return b.Mark("watched").Mark("followed")
	}
	own := func(b *historytest.Builder) { b.Gang("nobodys", 1) }
	brought := func(gang string, after func(*historytest.Builder)) *historytest.Builder {
		b := historytest.New().Try("create brought", "create", "jobs", "brought", history.Response{Code: 201, UID: "u"})
		b.Pod("p", gang, made{name: "brought"}.pod).Await("the pods of brought", time.Second, true)
		b.Try("group of brought", "patch", "podgroups", gang, history.Response{Code: 404, Reason: "NotFound"})
		if after != nil {
			after(b)
		}
		return b.Mark("watched")
	}
	del := made{name: "delegate", pods: 2, group: "g", minCount: 2, owners: `{"uid":"uid-of-delegate","controller":true}`}
	delegated := func(ref string, m made) *historytest.Builder {
		b := historytest.New().Try("create delegate", "create", "jobs", "delegate", history.Response{Code: 201, UID: "uid-of-delegate"})
		b.Gang("g", 2).Pod("a", "g", m.pod).Pod("b", "g", m.pod).Await("the pods of delegate", time.Second, true)
		b.Try("group of delegate", "patch", "podgroups", "g", ok(
			`{"metadata":{"name":"g","ownerReferences":[%s]},"spec":{"schedulingPolicy":{"gang":{"minCount":2}},"workloadRef":%s}}`, m.owners, ref))
		return b.Try("workload of delegate", "patch", "workloads", "parents", history.Response{Code: 200})
	}
	parents := `{"workloadName":"parents","templateName":"workers"}`
	other := del
	other.owners = `{"uid":"uid-of-parent","controller":true}`
	judged(t, "job-owners", []story{
		{"the group brought along", brought(ownGroup, nil), "JOB-013", suites.Pass},
		{"another group", brought("made-up", nil), "JOB-013", suites.Fail},
		{"a group for nobody", brought(ownGroup, own), "JOB-013", suites.Fail},
		{"a parent's job left alone", tell(made{name: "child", pods: 1}, nil), "JOB-034", suites.Pass},
		{"a parent's job with a group", tell(made{name: "child", pods: 1, group: "g"}, nil), "JOB-034", suites.Fail},
		{"a timed job with a group", tell(made{name: "timed", pods: 2, group: "g", minCount: 2}, nil), "JOB-014", suites.Pass},
		{"a timed job without", tell(made{name: "timed", pods: 2}, nil), "JOB-014", suites.Fail},
		{"a delegate", delegated(parents, del).Mark("watched"), "JOB-015", suites.Pass},
		{"a delegate of another", delegated(`{"workloadName":"mine","templateName":"workers"}`, del).Mark("watched"), "JOB-015", suites.Fail},
		{"a delegate's group of the parent", delegated(parents, other).Mark("watched"), "JOB-015", suites.Fail},
		{"a delegate follows", delegated(parents, del).Quorum("g", 1).Mark("followed"), "JOB-039", suites.Pass},
		{"a delegate stays", delegated(parents, del).Mark("followed"), "JOB-039", suites.Fail},
	})
}

func TestDeleted(t *testing.T) {
	tell := func(groupGoes bool, workload int) *historytest.Builder {
		b := made{name: "passing", pods: 2, group: "g", minCount: 2}.told(historytest.New())
		b.Gone("passing-0").Gone("passing-1")
		if groupGoes {
			b.GangGone("g")
		}
		return b.Try("workload after", "patch", "workloads", "w", history.Response{Code: workload}).Mark("over")
	}
	judged(t, "job-deleted", []story{
		{"all gone", tell(true, 404), "JOB-025", suites.Pass},
		{"the group stays", tell(false, 404), "JOB-025", suites.Fail},
		{"the workload stays", tell(true, 200), "JOB-025", suites.Fail},
	})
}

func TestOrdinary(t *testing.T) {
	tell := func(name, class string, started, bare bool) *historytest.Builder {
		b := historytest.New()
		code := 403
		if bare {
			code = 201
		}
		b.Try("a bare pod of "+class, "create", "pods", "bare", history.Response{Code: code})
		for _, n := range []string{"usual", name} {
			b.Try("create "+n, "create", "jobs", n, history.Response{Code: 201, UID: n})
		}
		b.Pod("u", "", made{name: "usual"}.pod)
		if started {
			b.Pod("p", "", made{name: name}.pod)
		}
		return b.Mark("waited")
	}
	var all []story
	for _, o := range []struct{ id, name, class string }{
		{"JOB-029", dotted.name, ""}, {"JOB-040", long.name, ""}, {"JOB-030", system.name, systemClass}, {"JOB-031", "polite", "never"},
	} {
		all = append(all,
			story{o.name + " starts", tell(o.name, o.class, true, true), o.id, suites.Pass},
			story{o.name + " does not", tell(o.name, o.class, false, true), o.id, suites.Fail})
		if o.class != "" {
			all = append(all, story{o.name + " could not anyway", tell(o.name, o.class, false, false), o.id, suites.Inconclusive})
		}
	}
	judged(t, "job-ordinary", all)
}

func TestPlaced(t *testing.T) {
	gpu := historytest.Wants("nvidia.com/gpu=1")
	tell := func(early, whole bool) *historytest.Builder {
		m := made{name: fleet, minCount: 3}
		b := historytest.New().Nodes(2, historytest.Has("nvidia.com/gpu=1"))
		b.Try("create "+fleet, "create", "jobs", fleet, history.Response{Code: 201, UID: "uid-of-fleet"}).Gang("g", 3)
		for _, n := range []string{"a", "b", "c"} {
			b.Pod(n, "g", gpu, m.pod)
		}
		b.Await("the pods of "+fleet, time.Second, true)
		b.Try("group of "+fleet, "patch", "podgroups", "g", ok(`{"metadata":{"name":"g"},"spec":{"schedulingPolicy":{"gang":{"minCount":3}}}}`))
		b.Mark("one short")
		if early {
			b.Bind("a", "node-0")
		}
		b.Hold("", time.Minute).Mark("watched").Nodes(1, historytest.Has("nvidia.com/gpu=1"))
		if whole {
			if !early {
				b.Bind("a", "node-0")
			}
			b.Bind("b", "node-1").Bind("c", "node-2")
		}
		return b.Mark("placed")
	}
	judged(t, "job-placed-as-a-whole", []story{
		{"as a whole", tell(false, true), "JOB-026", suites.Pass},
		{"in part", tell(true, true), "JOB-026", suites.Fail},
		{"never", tell(false, false), "JOB-026", suites.Fail},
	})
}

// The table is held row by row against answers that break it.
func TestFields(t *testing.T) {
	tell := func(odd string) *history.View {
		b := historytest.New()
		for _, r := range fields {
			a, breaks := r.Broken(nil)
			if r.Label() != odd {
				a = history.Response{Code: 200}
				if breaks && !refusalBreaks(r) {
					a = history.Response{Code: 422, Reason: "Invalid", Causes: []string{"spec: FieldValueInvalid"}}
				}
			}
			b.Try(r.Label(), "create", "jobs", "j", a)
		}
		return b.View()
	}
	for _, f := range answer.Judge(tell(""), fields) {
		if f.Verdict != suites.Pass {
			t.Errorf("with good answers %s is %s: %s", f.Requirement, f.Verdict, f.Message)
		}
	}
	for _, r := range fields {
		if _, breaks := r.Broken(nil); !breaks {
			continue
		}
		got := answer.Judge(tell(r.Label()), fields)
		i := slices.IndexFunc(got, func(f suites.Finding) bool { return f.Requirement == r.ID })
		if got[i].Verdict != suites.Fail {
			t.Errorf("with %q broken %s is %s", r.Label(), r.ID, got[i].Verdict)
		}
	}
}

// refusalBreaks reports whether a row has to be accepted: then a refusal is what breaks it.
func refusalBreaks(r answer.Row) bool {
	a, _ := r.Broken(nil)
	return !a.OK()
}

// A good story that breaks off anywhere accuses nobody: what was not reached was not seen.
func TestCutShortNeverFails(t *testing.T) {
	native, err := dialect.Load("native")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := suites.ScenarioByName("job-compiled")
	for _, m := range []made{
		{name: "plain", pods: 2, group: "g"}, {name: "whole", pods: 3, group: "g", minCount: 3},
		{name: "together", pods: 3, group: "g", minCount: 2, more: `"disruptionMode":{"all":{}},`},
	} {
		whole := m.told(historytest.New()).History()
		for n := 1; n < len(whole.Events); n++ {
			v := history.NewView(&history.History{Header: whole.Header, Events: whole.Events[:n], Name: whole.Name}, native,
				history.Scope{Scenario: historytest.Scenario})
			v.Gaps = nil // a driver that was interrupted leaves a complete record of half a story
			for _, f := range s.Judge(v) {
				if f.Verdict == suites.Fail {
					t.Errorf("%s cut after event %d of %d: %s %s", m.name, n, len(whole.Events), f.Requirement, f.Message)
				}
			}
		}
	}
}
