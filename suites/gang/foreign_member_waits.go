package gang

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-foreign-member-waits",
		Profile:      "gang",
		Summary:      "There is room for all members of a gang, all are needed, and one of them waits for another scheduler.",
		Requirements: []string{"GANG-034"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       23,
		Drive:        driveForeignMemberWaits,
		Judge:        judgeForeignMemberWaits,
	})
}

func driveForeignMemberWaits(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	members[0].SchedulerName = foreignScheduler
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "waiting", "watched", n)
}

func judgeForeignMemberWaits(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-034")
	members := v.Members("g")
	var own, foreign []*history.Pod
	for _, p := range members {
		if p.SchedulerName == foreignScheduler {
			foreign = append(foreign, p)
		} else {
			own = append(own, p)
		}
	}
	from, to := c.Watched("waiting", "watched", len(members))
	c.Premise(len(foreign) == 1 && foreign[0].ActiveAt(to) && foreign[0].Bound.IsZero(), nil, "one member waits for a scheduler that nobody runs")
	c.Premise(len(own) > 0 && kit.Quorum(v, "g") == len(members), nil, "the quorum takes all %d members", len(members))
	c.Fits(from, members)
	return []suites.Finding{c.About(to, "podgroup g").Saw(
		fmt.Sprintf("%d of %d own members bound; %s; %s", len(v.BoundAt("g", to)), len(own), spoken(own, to), conditions(v.Gang("g"), to)),
		"what happens to a gang that needs a member which waits for another scheduler")}
}
