package gang

import (
	"context"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-member-joins-while-tried",
		Profile:      "gang",
		Summary:      "Members come at short intervals while their gang is being tried in vain; later there is room for all.",
		Requirements: []string{"GANG-058"},
		Needs:        needs(single(mainPool, 5)),
		Weight:       5,
		Drive:        driveMemberJoins,
		Judge:        judgeMemberJoins,
	})
}

// interval is the time between the members that come while their gang is being tried: longer than an attempt takes and
// shorter than the first back-off, so that some fall into an attempt and some between two.
const interval = 300 * time.Millisecond

func driveMemberJoins(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 5)
	if err != nil {
		return err
	}
	quorum := n - 2
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", n-quorum+1)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := env.CreateGang(ctx, build.Gang{Name: "g", Quorum: int32(quorum)}); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, members[:quorum]...); err != nil {
		return err
	}
	// An attempt on the quorum is under way or just over; whether a newcomer falls into it cannot be seen from outside.
	for _, m := range members[quorum:] {
		env.Hold(ctx, "between members", interval)
		if err := env.CreatePods(ctx, m); err != nil {
			return err
		}
	}
	kit.AwaitTried(ctx, env, "g", n)
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	env.Mark(ctx, "room for all")
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeMemberJoins(v *history.View) []suites.Finding {
	members := v.Members("g")
	quorum := kit.Quorum(v, "g")
	c := kit.For(v, "GANG-058")
	c.Premise(quorum > 0 && len(members) > quorum, nil, "members came beyond the quorum of %d", quorum)
	if quorum > 0 && len(members) > quorum {
		at := members[quorum-1].Created
		c.NeverRoom(at, kit.LastCreated(members), members, quorum)
	}
	c.Fits(c.Mark("room for all"), members)
	return []suites.Finding{c.Counts("all bound", "g", len(members))}
}
