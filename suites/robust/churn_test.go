package robust

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/suites"
	"muster/suites/history"
	"muster/workloads/build"
)

// scripted is an Env in which every deed is a word.
type scripted struct {
	suites.Env
	deeds *[]string
}

func (s scripted) CreateGang(_ context.Context, g build.Gang) error {
	*s.deeds = append(*s.deeds, "+group "+g.Name)
	return nil
}
func (s scripted) DeleteGang(_ context.Context, g string) error {
	*s.deeds = append(*s.deeds, "-group "+g)
	return nil
}
func (s scripted) CreatePods(_ context.Context, pods ...build.Pod) error {
	*s.deeds = append(*s.deeds, "+pod "+pods[0].Name)
	return nil
}
func (s scripted) DeletePods(_ context.Context, names ...string) error {
	*s.deeds = append(*s.deeds, "-pod "+names[0])
	return nil
}
func (s scripted) Await(context.Context, string, time.Duration, func(*history.View) bool) bool {
	return true
}

// Whatever the seed: what is deleted was created before, everything is deleted in the end, and one seed gives one order.
func TestChurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		draw := func() []string {
			var deeds []string
			for _, d := range churn(context.Background(), scripted{deeds: &deeds}, rand.New(rand.NewPCG(seed, 0))) {
				if err := d(); err != nil {
					t.Fatal(err)
				}
			}
			return deeds
		}
		deeds, there := draw(), map[string]bool{}
		if again := draw(); fmt.Sprint(again) != fmt.Sprint(deeds) {
			t.Fatal("another order of the same seed")
		}
		for _, d := range deeds {
			if what := d[1:]; there[what] == (d[0] == '+') {
				t.Fatalf("%s out of turn in %v", d, deeds)
			}
			there[d[1:]] = d[0] == '+'
		}
		for what, left := range there {
			if left {
				t.Fatalf("%s is left", what)
			}
		}
	})
}
