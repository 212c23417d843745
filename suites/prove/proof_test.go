package prove

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/run/plan"
)

var (
	catalogue = []suites.Requirement{
		{ID: "A-001", Profile: "a", Level: suites.Must}, {ID: "A-002", Profile: "a", Level: suites.Should},
		{ID: "A-003", Profile: "a", Level: suites.May}, {ID: "B-001", Profile: "b", Level: suites.Must},
	}
	scenarios = []suites.Scenario{
		{Name: "one", Profile: "a", Requirements: []string{"A-001"}},
		{Name: "two", Profile: "a", Requirements: []string{"A-002", "A-003"}},
		{Name: "three", Profile: "b", Requirements: []string{"B-001"}},
	}
	fine = Subject{Name: "fine", Profiles: []string{"a"}, Kills: []string{"A-001"}, May: []string{"A-002"}}
)

func TestResultOf(t *testing.T) {
	for name, tt := range map[string]struct {
		trial Trial
		why   string
	}{
		"exactly what it declares":          {Trial{Failed: []string{"A-001"}, Passed: []string{"B-001"}}, ""},
		"what it may":                       {Trial{Failed: []string{"A-001", "A-002"}}, ""},
		"nothing":                           {Trial{Passed: []string{"A-001"}}, "nothing kills it"},
		"only what it may":                  {Trial{Failed: []string{"A-002"}}, "nothing kills it"},
		"what it does not declare":          {Trial{Failed: []string{"A-001", "B-001"}}, "violates what it does not declare"},
		"not judged to the end":             {Trial{Failed: []string{"A-001"}, Error: "the cluster died"}, "the cluster died"},
		"too little passes":                 {Trial{Full: true, Failed: []string{"A-001"}, Passed: []string{"A-002", "B-001"}}, "passes too little"},
		"that little is no matter of a few": {Trial{Failed: []string{"A-001"}, Passed: []string{"A-002", "B-001"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := resultOf(fine, tt.trial)
			if r.Counts != (tt.why == "") || !strings.Contains(r.Why, tt.why) {
				t.Errorf("counts %t, %q; want %q", r.Counts, r.Why, tt.why)
			}
		})
	}
	two := Subject{Name: "two", Kills: []string{"A-001", "A-002"}}
	if r := resultOf(two, Trial{Failed: []string{"A-001"}, Passed: []string{"A-002"}}); r.Counts || !slices.Equal(r.Survived, []string{"A-002"}) {
		t.Errorf("a declared requirement that was kept: %+v", r)
	}
}

func TestFold(t *testing.T) {
	reference := Trial{Passed: []string{"A-001", "A-002", "B-001"}}
	kills := func(name string, failed ...string) (Subject, Trial) {
		return Subject{Name: name, Kills: failed}, Trial{Scheduler: name, Failed: failed}
	}
	s1, t1 := kills("first", "A-001", "A-002")
	s2, t2 := kills("second", "B-001")
	p := Fold([]Subject{s1, s2}, []Trial{reference, t1, t2}, catalogue)
	if !p.Sound || len(p.Requirements) != 3 || p.Line() != "prove: 3 of 3 requirements were seen to fail, 2 of 2 mutants count" {
		t.Errorf("%t, %q, %v", p.Sound, p.Line(), p.Objections())
	}
	gross := Trial{Scheduler: "second", Failed: []string{"A-001", "B-001"}}
	p = Fold([]Subject{s1, s2}, []Trial{reference, t1, gross}, catalogue)
	if p.Sound || !slices.Equal(p.Unproven(), []string{"B-001"}) || !slices.Equal(p.Requirements[0].TouchedBy, []string{"second"}) {
		t.Errorf("%t, %v, %+v", p.Sound, p.Unproven(), p.Requirements)
	}
	bad := Trial{Failed: []string{"A-001"}}
	for _, trials := range [][]Trial{{t1, t2}, {bad, t1, t2}, {{Error: "no"}, t1, t2}} {
		if p := Fold([]Subject{s1, s2}, trials, catalogue); p.Sound || len(p.Objections()) != 1 {
			t.Errorf("%+v: %v", trials, p.Objections())
		}
	}
	var b bytes.Buffer
	if err := p.Markdown(&b); err != nil || !strings.Contains(b.String(), "| B-001 | MUST |  | **nobody** | second |") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := p.Table(&b); err != nil {
		t.Error(err)
	}
}

// Whatever is found, a requirement is only proven by a mutant that declares it, violates it, and nothing undeclared.
func TestOnlyPreciseKillsProve(t *testing.T) {
	ids := []string{"A-001", "A-002", "B-001"}
	rapid.Check(t, func(t *rapid.T) {
		some := func(label string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, 3, rapid.ID[string]).Draw(t, label)
		}
		s := Subject{Name: "m", Kills: some("kills")}
		trial := Trial{Scheduler: "m", Failed: some("failed")}
		p := Fold([]Subject{s}, []Trial{trial}, catalogue)
		slices.Sort(s.Kills)
		slices.Sort(trial.Failed)
		precise := len(s.Kills) > 0 && slices.Equal(s.Kills, trial.Failed)
		for _, r := range p.Requirements {
			want := precise && slices.Contains(s.Kills, r.ID)
			if got := len(r.KilledBy) > 0; got != want {
				t.Fatalf("%s: proven %t, want %t (declared %v, violated %v)", r.ID, got, want, s.Kills, trial.Failed)
			}
		}
	})
}

func TestCheck(t *testing.T) {
	for name, tt := range map[string]struct {
		s    Subject
		want string
	}{
		"fine":        {fine, ""},
		"unknown":     {Subject{Name: "m", Kills: []string{"A-009"}}, "A-009"},
		"a MAY":       {Subject{Name: "m", Kills: []string{"A-003"}}, "MAY"},
		"profile":     {Subject{Name: "m", Profiles: []string{"c"}, Kills: []string{"A-001"}}, "no profile"},
		"no scenario": {Subject{Name: "m", Profiles: []string{"a"}}, "nothing that a scenario"},
	} {
		err := Check([]Subject{tt.s}, catalogue, scenarios)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestChooseAndScope(t *testing.T) {
	all := []Subject{fine, {Name: "other", Profiles: []string{"b"}, Kills: []string{"B-001"}}}
	if got := Choose(all, []string{"b"}, nil); len(got) != 1 || got[0].Name != "other" {
		t.Errorf("%+v", got)
	}
	if got := Choose(all, nil, []string{"fine"}); len(got) != 1 || got[0].Name != "fine" {
		t.Errorf("%+v", got)
	}
	if got := Scope(catalogue, []string{"a"}, nil, all); len(got) != 3 {
		t.Errorf("%+v", got)
	}
	if got := Scope(catalogue, nil, []string{"fine"}, all[:1]); len(got) != 1 || got[0].ID != "A-001" {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsStoredIsReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", "proof.yaml")
	s := Subject{Name: "m", Kills: []string{"A-001"}}
	trials := []Trial{{Passed: []string{"A-001"}, Seconds: 1.5, Seed: 7}, {Scheduler: "m", Failed: []string{"A-001"}, Reasons: map[string]string{"A-001": "seen"}}}
	if err := Store(file, Fold([]Subject{s, {Name: "untried"}}, trials, catalogue)); err != nil {
		t.Fatal(err)
	}
	got, err := Read([]string{file, file})
	if err != nil || len(got) != 2 || got[0].Seconds != 3 || got[1].Reasons["A-001"] != "seen" {
		t.Errorf("%+v, %v", got, err)
	}
	p := Fold([]Subject{s, {Name: "untried"}}, got, catalogue[:1])
	if p.Sound || !slices.Equal(p.Untried, []string{"untried"}) || len(p.Unproven()) != 0 {
		t.Errorf("%+v", p)
	}
	other := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(other, []byte("kind: Report\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{other, filepath.Join(t.TempDir(), "absent")} {
		if _, err := Read([]string{bad}); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

func TestMerge(t *testing.T) {
	got := Merge([]Trial{{Failed: []string{"A-001"}, Passed: []string{"A-002"}, Seconds: 1}, {Scheduler: "m", Seconds: 1}},
		[]Trial{{Passed: []string{"A-001", "B-001"}, Seconds: 2}, {Scheduler: "m", Seconds: 5}})
	if len(got) != 2 || got[1].Seconds != 5 {
		t.Fatalf("%+v", got)
	}
	if r := got[0]; !slices.Equal(r.Failed, []string{"A-001"}) || !slices.Equal(r.Passed, []string{"A-002", "B-001"}) || r.Seconds != 3 {
		t.Errorf("%+v", r)
	}
}

func TestRun(t *testing.T) {
	var asked []plan.Selection
	o := Options{Subjects: []Subject{fine, {Name: "broken", Profiles: []string{"b"}, Kills: []string{"B-001"}}}, Scenarios: scenarios,
		Judge: func(_ context.Context, name string, s plan.Selection) (*v1alpha1.ConformanceReport, error) {
			asked = append(asked, s)
			if name == "broken" {
				return nil, errors.New("no cluster")
			}
			r := &v1alpha1.ConformanceReport{}
			r.Requirements = []v1alpha1.Requirement{{ID: "A-001", Level: suites.Must, Verdict: suites.Pass}, {ID: "A-002", Level: suites.Should, Verdict: suites.Inconclusive}}
			if name == "fine" {
				r.Requirements[0].Verdict, r.Requirements[0].Reason = suites.Fail, "seen"
			}
			return r, nil
		}}
	trials, err := Run(t.Context(), o)
	if err != nil || len(trials) != 3 {
		t.Fatalf("%v, %v", trials, err)
	}
	if !slices.Equal(asked[0].Scenarios, []string{"one", "three"}) || !slices.Equal(asked[1].Scenarios, []string{"one"}) || len(asked[1].Profiles) != 0 {
		t.Errorf("asked for %+v", asked)
	}
	if m := trials[1]; m.Scheduler != "fine" || m.Reasons["A-001"] != "seen" || m.Open["A-002"] != string(suites.Inconclusive) {
		t.Errorf("%+v", m)
	}
	if trials[2].Error != "no cluster" {
		t.Errorf("%+v", trials[2])
	}
	o.Full, asked = true, nil
	if _, err := Run(t.Context(), o); err != nil || !slices.Equal(asked[0].Profiles, []string{"a", "b"}) || !slices.Equal(asked[1].Profiles, []string{"a"}) {
		t.Errorf("%v, asked for %+v", err, asked)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if trials, err := Run(ended, o); !errors.Is(err, context.Canceled) || len(trials) != 0 {
		t.Errorf("a run that was interrupted before it began: %v, %v", trials, err)
	}
}

// Who takes longest begins: scenarios that share a cluster run beside one another, the others one by one.
func TestLongestFirst(t *testing.T) {
	timed := []suites.Scenario{
		{Name: "s10", Requirements: []string{"A-001"}, Isolation: suites.Shared, Weight: 10},
		{Name: "s12", Requirements: []string{"A-001"}, Isolation: suites.Shared, Weight: 12},
		{Name: "e8", Requirements: []string{"A-002"}, Isolation: suites.Exclusive, Weight: 8},
		{Name: "e9", Requirements: []string{"A-002"}, Isolation: suites.Exclusive, Weight: 9},
		{Name: "o15", Profile: "b", Requirements: []string{"B-001"}, Isolation: suites.OwnCluster, Weight: 15},
	}
	o := Options{Scenarios: timed, Subjects: []Subject{
		{Name: "beside", Kills: []string{"A-001"}}, {Name: "by themselves", Kills: []string{"A-002"}},
		{Name: "own", Profiles: []string{"b"}, Kills: []string{"B-001"}}, {Name: "all", Kills: []string{"A-001", "A-002"}},
	}}
	order := func() (names []string) {
		for _, s := range o.longestFirst() {
			names = append(names, s.Name)
		}
		return names
	}
	if got, want := order(), []string{"all", "by themselves", "own", "beside"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	o.Full = true // by profiles, of which three have none
	if got, want := order(), []string{"own", "beside", "by themselves", "all"}; !slices.Equal(got, want) {
		t.Errorf("in full: order %v, want %v", got, want)
	}
}

// The parts of the reference scheduler's trial are judged apart and told as one: what any of them violates is violated, and one that
// was not judged to the end is missing. Scenarios that cannot share a control plane are in one part.
func TestReferenceInParts(t *testing.T) {
	alone := func(capability string) suites.Needs { return suites.Needs{Capabilities: []string{capability}} }
	scenarios := []suites.Scenario{
		{Name: "s1", Requirements: []string{"A-001"}, Isolation: suites.Shared, Weight: 90},
		{Name: "e1", Requirements: []string{"A-001"}, Isolation: suites.Exclusive, Weight: 5, Needs: alone(suites.RestartComponents)},
		{Name: "e2", Requirements: []string{"A-001"}, Isolation: suites.Exclusive, Weight: 9},
		{Name: "e3", Requirements: []string{"A-001"}, Isolation: suites.Exclusive, Weight: 6},
		{Name: "o1", Requirements: []string{"A-001"}, Isolation: suites.OwnCluster, Weight: 1, Needs: alone(suites.TwoSchedulers)},
	}
	for parts, want := range map[int][]string{
		0: {"s1 e1 e2 e3 o1"}, 1: {"s1 e1 e2 e3 o1"}, 2: {"s1", "e2 e3 e1 o1"}, 3: {"s1", "e2", "e3 e1 o1"}, 9: {"s1", "e2", "e3", "e1 o1"},
	} {
		var mu sync.Mutex
		var asked []string
		trials, err := Run(t.Context(), Options{
			Subjects: []Subject{{Name: "m", Kills: []string{"A-001"}}}, Scenarios: scenarios, Parts: parts,
			Judge: func(_ context.Context, name string, s plan.Selection) (*v1alpha1.ConformanceReport, error) {
				r := &v1alpha1.ConformanceReport{Requirements: []v1alpha1.Requirement{{ID: "A-001", Level: suites.Must, Verdict: suites.Pass}}}
				if name != "" {
					return r, nil
				}
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, strings.Join(s.Scenarios, " "))
				if slices.Contains(s.Scenarios, "e1") {
					r.Requirements[0].Verdict = suites.Fail
				}
				return r, nil
			},
		})
		if err != nil || len(trials) != 2 || trials[0].Scheduler != "" || !slices.Equal(trials[0].Failed, []string{"A-001"}) || len(trials[0].Passed) > 0 {
			t.Errorf("%d parts: %+v, %v", parts, trials, err)
		}
		if !slices.Equal(asked, want) {
			t.Errorf("%d parts: %q; want %q", parts, asked, want)
		}
	}
}
