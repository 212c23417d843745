package field

import (
	"cmp"
	"context"
	"testing"

	"muster/suites"
	"muster/suites/check"
)

// TestRehearsals drives every scenario against toy schedulers and judges what comes of it: the conforming one passes
// everywhere, by the invariants too, and each fault is found by the scenario that is there for it.
func TestRehearsals(t *testing.T) {
	schedulers := map[string]toy{
		"conforming": conforming, "ignorant": ignorant, "dead": dead, "adding": adding,
		"reserving": reserving, "forgetful": forgetful, "planning": planning,
	}
	// want lists the verdicts that are not Pass.
	const fail, open = suites.Fail, suites.Inconclusive
	want := map[string]map[string]suites.Verdict{
		"two-gangs-of-pool-size-interleaved":       {"ignorant": fail, "dead": fail},
		"three-gangs-of-six-on-ten-slots":          {"ignorant": fail, "dead": fail},
		"gang-of-ten-before-nine-singles":          {"ignorant": fail, "dead": fail, "reserving": fail},
		"pods-before-their-gang":                   {"ignorant": fail, "dead": fail},
		"gang-before-trickling-pods":               {"ignorant": fail, "dead": fail},
		"gang-between-its-pods":                    {"ignorant": fail, "dead": fail},
		"workload-never-comes":                     {"ignorant": fail, "dead": fail, "planning": fail},
		"workload-comes-last":                      {"ignorant": fail, "dead": fail, "planning": fail},
		"members-larger-than-any-node":             {"adding": fail, "dead": open},
		"fragmented-pool-made-whole":               {"adding": fail, "dead": open},
		"quorum-edited-while-short-of-members":     {"ignorant": fail, "dead": fail, "forgetful": fail},
		"quorum-edited-while-short-of-room":        {"ignorant": fail, "dead": fail, "forgetful": fail},
		"leader-and-workers-room-for-two-of-three": {"ignorant": fail, "dead": fail},
	}
	for _, s := range suites.Scenarios() {
		for name, scheduler := range schedulers {
			if name == "adding" && want[s.Name]["adding"] == "" {
				continue // it overcommits nodes, which is none of the other scenarios' business
			}
			t.Run(s.Name+"/"+name, func(t *testing.T) {
				expect := cmp.Or(want[s.Name][name], suites.Pass)
				if s.Name == "what-wakes-a-waiting-gang" {
					expect = suites.Observed
				}
				e := rehearse(s, scheduler)
				if err := s.Drive(context.Background(), e); err != nil {
					t.Fatalf("driving: %v", err)
				}
				worst := suites.Finding{Verdict: suites.Observed}
				for _, f := range s.Judge(e.view()) {
					if f.Verdict.Worse(worst.Verdict) || worst.Requirement == "" {
						worst = f
					}
				}
				if worst.Verdict != expect {
					t.Errorf("got %s, want %s: %s", worst.Verdict, expect, worst.Message)
				}
				if name != "conforming" {
					return
				}
				for _, f := range check.Judge(e.view()) {
					if f.Verdict == suites.Fail {
						t.Errorf("the invariants object to a conforming scheduler: %s %s: %s", f.Requirement, f.Check, f.Message)
					}
				}
			})
		}
	}
}
