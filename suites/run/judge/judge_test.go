package judge

import (
	"errors"
	"strings"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// story is a scenario called test in which a gang of two is bound, ended as told ("": as recorded by default).
func story(label, reason string) *history.History {
	h := historytest.New().Nodes(2).Gang("g", 2).Pods("g", 2).BindAll("node-0", "g-0", "g-1").Mark("bound").Wait(time.Second).History()
	for i := range h.Events {
		if e := &h.Events[i]; e.Verb == history.VerbEnd {
			e.Action.Label, e.Action.Response.Message = label, reason
		}
	}
	return h
}

func judge(sc suites.Scenario, checks ...Check) *Judge {
	return &Judge{
		Requirements: []suites.Requirement{
			{ID: "GANG-001", Profile: "gang", Gates: []string{"GenericWorkload"}}, {ID: "INV-001", Profile: "invariants"},
		},
		Scenario: func(name string) (suites.Scenario, bool) { return sc, sc.Name == name },
		Checks:   checks,
		Reader:   func(name string) (history.Dialect, error) { return dialect.Load(name) },
	}
}

// counting passes GANG-001 if two members are bound.
func counting(h *history.History) suites.Scenario {
	return suites.Scenario{
		Name: h.Scopes()[0].Scenario, Profile: "gang", Requirements: []string{"GANG-001"},
		Judge: func(v *history.View) []suites.Finding {
			return []suites.Finding{suites.Holds(len(v.BoundAt("g", v.Now())) == 2, "GANG-001", "two bound")}
		},
	}
}

// A performance run's load is no scenario of the suites, and the invariants hold for it all the same.
func TestLoadsAreHeldToTheInvariants(t *testing.T) {
	h := story("", "")
	fails := Check{Name: "c", Requirement: "INV-001", Run: func(v *history.View) []suites.Finding {
		return []suites.Finding{suites.Holds(len(v.BoundAt("g", v.Now())) == 3, "INV-001", "three bound")}
	}}
	j := judge(suites.Scenario{}, fails)
	if got, unknown, err := j.History(h); err != nil || len(got) != 0 || len(unknown) != 1 {
		t.Fatalf("of a suite: %+v, %v, %v", got, unknown, err)
	}
	h.Header.MusterInfo = map[string]string{plan.InfoShape: "singles nodes=3"}
	got, unknown, err := j.History(h)
	if err != nil || len(unknown) != 0 || len(got) != 1 || got[0].Status != fold.Executed || len(got[0].Findings) != 1 ||
		got[0].Findings[0].Verdict != suites.Fail || got[0].Profile != fold.Invariants {
		t.Errorf("of a performance run: %+v, %v, %v", got, unknown, err)
	}
}

func TestHistoryIsJudgedByScenario(t *testing.T) {
	for _, tt := range []struct {
		label, reason string
		want          fold.Status
		verdict       suites.Verdict
	}{
		{"", "", fold.Executed, suites.Pass},
		{"Executed", "", fold.Executed, suites.Pass},
		{"Broken", "no API", fold.Broken, suites.Error},
		{"Interrupted", "interrupted", fold.Interrupted, suites.Inconclusive},
		{"NotSupported", "cannot", fold.Unsupported, suites.NotSupported},
		{"Skipped", "interrupted before its turn", fold.NotRun, suites.Skipped},
		{"NotAsked", "not asked for", fold.Filtered, suites.Skipped},
		{"Skipped", "not asked for", fold.Filtered, suites.Skipped},
		{"Fine", "", fold.Broken, suites.Error},
	} {
		h := story(tt.label, tt.reason)
		out, unknown, err := judge(counting(h)).History(h)
		if err != nil || len(unknown) > 0 || len(out) != 1 {
			t.Fatalf("%q: %v, %v, %v", tt.label, out, unknown, err)
		}
		if out[0].Status != tt.want || out[0].Verdict() != tt.verdict || !strings.Contains(out[0].Reason, tt.reason) {
			t.Errorf("%q: %s (%s) %s, want %s %s", tt.label, out[0].Status, out[0].Reason, out[0].Verdict(), tt.want, tt.verdict)
		}
	}
}

func TestHistoryThatWasCutOff(t *testing.T) {
	h := story("", "")
	for i := range h.Events {
		if h.Events[i].Verb == history.VerbEnd {
			h.Events = h.Events[:i]
			break
		}
	}
	out, _, err := judge(counting(h)).History(h)
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Status != fold.Interrupted || out[0].Verdict() != suites.Inconclusive {
		t.Errorf("%s %s", out[0].Status, out[0].Verdict())
	}
}

func TestPanicsBlameMuster(t *testing.T) {
	h := story("", "")
	sc := counting(h)
	sc.Judge = func(*history.View) []suites.Finding { panic("nil map") }
	out, _, err := judge(sc, Check{Name: "Broken", Requirement: "INV-001", Run: func(*history.View) []suites.Finding { panic("index") }}).History(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"GANG-001", "INV-001"} {
		f := out[0].For(id)
		if len(f) != 1 || f[0].Verdict != suites.Error || !strings.Contains(f[0].Message, "judge_test.go") {
			t.Errorf("%s: %+v", id, f)
		}
	}
}

func TestChecksAreNamed(t *testing.T) {
	h := story("", "")
	c := Check{Name: "NoPartialAtRest", Requirement: "INV-001", Run: func(v *history.View) []suites.Finding {
		return []suites.Finding{{Verdict: suites.Fail, Message: "partial"}}
	}}
	out, _, err := judge(counting(h), c).History(h)
	if err != nil {
		t.Fatal(err)
	}
	f := out[0].For("INV-001")
	if len(f) != 1 || f[0].Check != "NoPartialAtRest" || f[0].Verdict != suites.Fail {
		t.Errorf("%+v", f)
	}
}

func TestGatesOfTheRecordDecideWhatIsSupported(t *testing.T) {
	h := story("", "")
	h.Header.Gates = map[string]bool{"GenericWorkload": false}
	out, _, err := judge(counting(h)).History(h)
	if err != nil {
		t.Fatal(err)
	}
	if f := out[0].For("GANG-001"); len(f) != 1 || f[0].Verdict != suites.NotSupported {
		t.Errorf("%+v", f)
	}
}

func TestUnknownScenariosAreNamed(t *testing.T) {
	h := story("", "")
	sc := counting(h)
	sc.Name = "another"
	out, unknown, err := judge(sc).History(h)
	var u *UnknownScenario
	if err != nil || len(out) != 0 || len(unknown) != 1 || !errors.As(unknown[0], &u) {
		t.Errorf("%v, %v, %v", out, unknown, err)
	}
}

func TestUnknownDialect(t *testing.T) {
	h := story("", "")
	h.Header.Scheduler.Dialect = "esperanto"
	if _, _, err := judge(counting(h)).History(h); err == nil {
		t.Error("judged")
	}
}
