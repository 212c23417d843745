package gang

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-too-large-beside-a-pod",
		Profile:      "gang",
		Summary:      "A plain pod that fits is created among the members of a gang that does not.",
		Requirements: []string{"GANG-053"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       26,
		Drive:        driveLargeGangBesidePod,
		Judge:        judgeLargeGangBesidePod,
	})
}

func driveLargeGangBesidePod(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	n := free + 1
	members := kit.Members(n, "g", mainPool)
	env.Mark(ctx, "empty")
	// The plain pod stands between the members in every queue that is ordered by time.
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[:n/2]...); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, append([]build.Pod{kit.Plain("plain", mainPool)}, members[n/2:]...)...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "plain pod", n, kit.PodsBound("plain"))
	return kit.Watch(ctx, env, "waiting", "watched", n)
}

func judgeLargeGangBesidePod(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)
	plain := kit.Named(v, "plain")
	opened := func() *kit.Case {
		c := kit.For(v, "GANG-053")
		start := c.Mark("empty")
		c.ShortByOne(start, members)
		c.Fits(start, plain)
		return c
	}
	single := opened()
	done := single.Mark("plain pod")

	gang := opened()
	from, to := gang.Watched("waiting", "watched", n)
	gang.NeverRoom(from, to, members, kit.Quorum(v, "g"))
	return []suites.Finding{
		single.About(done, kit.Objects(plain)...).Holds(len(plain) == 1 && !plain[0].Bound.After(done),
			"a plain pod that fits, created among the members of a gang that does not, has to be bound"),
		gang.None("g", history.Stamp{}, to, "although there was never room for the quorum"),
	}
}
