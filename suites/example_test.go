package suites_test

import (
	"context"
	"fmt"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit"
	"muster/workloads/build"
)

// gangOneTooMany is a whole scenario: a gang of one more than the pool has slots is watched for as long as a
// scheduler may take, and must have bound nothing.
var gangOneTooMany = suites.Scenario{
	Name:         "example-gang-one-too-many",
	Profile:      "gang",
	Summary:      "A gang finds room for all of its quorum but one.",
	Requirements: []string{"GANG-003"},
	Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 3, GPUs: 1}}},
	Weight:       25,
	Drive:        driveOneTooMany,
	Judge:        judgeOneTooMany,
}

// driveOneTooMany acts. It decides nothing: not even that a pod which is bound too early is an error.
func driveOneTooMany(ctx context.Context, env suites.Env) error {
	n := env.Pool("pool").Slots(kit.Worker) + 1
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, kit.Members(n, "g", "pool")...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", n)
}

// judgeOneTooMany reads. Premises first: the watch was long enough, and what lacked was one slot. Then the claim.
func judgeOneTooMany(v *history.View) []suites.Finding {
	members := v.Members("g")
	c := kit.For(v, "GANG-003")
	from, to := c.Watched("created", "watched", len(members))
	c.ShortByOne(from, members)
	bound := kit.BoundBetween(v, "g", history.Stamp{}, to)
	return []suites.Finding{c.About(to, kit.Objects(bound)...).Holds(len(bound) == 0,
		"%d of %d members were bound although there was room for %d", len(bound), len(members), len(members)-1)}
}

// A scenario is a value. In its own file, init hands it to Register; in a folder that has scenarios already, that is
// all there is to adding it. Its judge
// is a pure function, so that stories told by hand show that it can pass, that it can fail, and that it says so when
// it cannot tell.
func Example() {
	suites.Register(gangOneTooMany)
	s, _ := suites.ScenarioByName("example-gang-one-too-many")

	story := func(slots int) *historytest.Builder {
		gpu := historytest.Wants("nvidia.com/gpu=1")
		return historytest.New().Nodes(slots, historytest.Has("nvidia.com/gpu=1")).Gang("g", 4).Pods("g", 4, gpu).Mark("created")
	}
	const watched = 30 * time.Second
	for _, told := range []*historytest.Builder{
		story(3).Hold("", watched).Mark("watched"),
		story(3).Bind("g-0", "node-0").Hold("", watched).Mark("watched"),
		story(4).Hold("", watched).Mark("watched"),
	} {
		for _, f := range s.Judge(told.View()) {
			fmt.Printf("%s %s: %s\n", f.Requirement, f.Verdict, f.Message)
		}
	}

	// Output:
	// GANG-003 Pass: 0 of 4 members were bound although there was room for 3
	// GANG-003 Fail: 1 of 4 members were bound although there was room for 3
	// GANG-003 Inconclusive: room for exactly 3 of 4 pods (there was room for 4): not so in the record
}
