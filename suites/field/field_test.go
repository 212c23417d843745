package field

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
)

// story is a history and what the judge must say about it.
type story struct {
	name string
	tell *historytest.Builder
	want suites.Verdict
}

var gpu = historytest.Wants("nvidia.com/gpu=1")

func gpus(n int) historytest.NodeOption { return historytest.Has(fmt.Sprintf("nvidia.com/gpu=%d", n)) }

// judged runs the scenario's judge on every story. All findings must speak about the scenario's requirement, and the
// worst of them is what counts.
func judged(t *testing.T, scenario string, stories ...story) {
	t.Helper()
	s, ok := suites.ScenarioByName(scenario)
	if !ok {
		t.Fatalf("no scenario %s is registered", scenario)
	}
	for _, st := range stories {
		t.Run(scenario+"/"+st.name, func(t *testing.T) {
			findings := s.Judge(st.tell.View())
			if len(findings) == 0 {
				t.Fatal("the judge says nothing")
			}
			worst := findings[0]
			for _, f := range findings {
				if !slices.Contains(s.Requirements, f.Requirement) {
					t.Errorf("finding on %s, which the scenario does not name", f.Requirement)
				}
				if f.Verdict.Worse(worst.Verdict) {
					worst = f
				}
			}
			if worst.Verdict != st.want {
				t.Errorf("got %s, want %s: %s", worst.Verdict, st.want, worst.Message)
			}
		})
	}
}

// names are prefix-0 … prefix-(n-1), starting at from.
func names(prefix string, from, n int) []string {
	var out []string
	for i := from; i < from+n; i++ {
		out = append(out, fmt.Sprintf("%s-%d", prefix, i))
	}
	return out
}

// spread binds pods to node-0, node-1, …, per to a node.
func spread(b *historytest.Builder, per int, pods ...string) *historytest.Builder {
	for i, p := range pods {
		b.Bind(p, fmt.Sprintf("node-%d", i/per))
	}
	return b
}

// wait is longer than the settle bound of every gang in these stories.
const wait = 40 * time.Second

// TestScenariosAreWellFormed checks what the runner relies on: the profile, a weight, and pools with names.
func TestScenariosAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range suites.Scenarios() {
		for _, id := range s.Requirements {
			seen[id] = true
		}
		if s.Profile != "gang" || s.Weight <= 0 {
			t.Errorf("%s: profile %q, weight %d", s.Name, s.Profile, s.Weight)
		}
		for _, p := range s.Needs.Pools {
			if p.Name == "" || p.Count == 0 {
				t.Errorf("%s: pool %+v has no name or no nodes", s.Name, p)
			}
		}
		if got := s.Judge(historytest.New().View()); len(got) == 0 || got[0].Verdict != suites.Inconclusive {
			t.Errorf("%s: an empty history must be Inconclusive, got %+v", s.Name, got)
		}
	}
	for n := 1; n <= 7; n++ {
		if id := fmt.Sprintf("FIELD-%03d", n); !seen[id] {
			t.Errorf("no scenario puts %s to the test", id)
		}
	}
}
