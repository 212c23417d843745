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
		Name:         "gang-foreign-member",
		Profile:      "gang",
		Summary:      "A member with another schedulerName is bound already when the gang's own members come.",
		Requirements: []string{"GANG-030"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       23,
		Drive:        driveForeignMember,
		Judge:        judgeForeignMember,
	})
}

// foreignScheduler is a schedulerName nobody serves.
const foreignScheduler = "muster-nobody"

func driveForeignMember(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	members[0].SchedulerName = foreignScheduler
	members[0].NodeName = env.Pool(mainPool).Nodes()[0]
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 1)}, members[0]); err != nil {
		return err
	}
	env.Await(ctx, "the foreign member is seen", env.Settle(1), kit.PodsBound(members[0].Name))
	env.Mark(ctx, "foreign member bound")
	if err := env.CreatePods(ctx, members[1:]...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "waiting", "watched", n)
}

func judgeForeignMember(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-030")
	placed := c.Mark("foreign member bound")
	before, own := v.BoundAt("g", placed), kit.CreatedAfter(v, "g", placed)
	c.Premise(len(before) == 1 && !before[0].ByScheduler() && before[0].SchedulerName == foreignScheduler, nil,
		"a member of another scheduler was bound by the driver before the others came")
	from, to := c.Watched("waiting", "watched", len(own)+1)
	c.Fits(from, own)
	return []suites.Finding{c.Saw(
		fmt.Sprintf("%d of %d own members bound; %s; %s",
			len(v.BoundAt("g", to))-len(before), len(own), spoken(own, to), conditions(v.Gang("g"), to)),
		"what happens to a gang with a bound member of another schedulerName")}
}
