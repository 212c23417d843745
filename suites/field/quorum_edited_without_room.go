package field

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// All members are there and the room for one lacks. The quorum goes up beyond the members, back down to them, and at
// last to what has room: only then may anything be bound, and then as many as fit.
func init() {
	suites.Register(suites.Scenario{
		Name:         "quorum-edited-while-short-of-room",
		Profile:      "gang",
		Summary:      "minCount of a gang that lacks one slot is raised, lowered again, and lowered to what has room.",
		Requirements: []string{"FIELD-005"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 2, GPUs: 1}}},
		Weight:       40,
		Drive:        driveQuorumEditedWithoutRoom,
		Judge:        judgeQuorumEditedWithoutRoom,
	})
}

func driveQuorumEditedWithoutRoom(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "empty")
	room, err := slots(env, "pool", 1)
	if err != nil {
		return err
	}
	n := room + 1
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "elastic", Quorum: int32(n)}, kit.Members(n, "elastic", "pool")...); err != nil {
		return err
	}
	for _, q := range []int{n + 1, n} {
		env.Hold(ctx, "between two changes of the quorum", pause)
		if err := env.SetQuorum(ctx, "elastic", int32(q)); err != nil {
			return fmt.Errorf("setting the quorum to %d: %w", q, err)
		}
	}
	if err := kit.Watch(ctx, env, "hold", "held", n); err != nil {
		return err
	}
	if err := env.SetQuorum(ctx, "elastic", int32(room)); err != nil {
		return fmt.Errorf("lowering the quorum to the room: %w", err)
	}
	kit.AwaitBound(ctx, env, "waited-for", "elastic", room)
	return ctx.Err()
}

func judgeQuorumEditedWithoutRoom(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-005")
	members := v.Members("elastic")
	empty, end := c.Mark("empty"), c.Mark("waited-for")
	_, held := c.Watched("hold", "held", len(members))
	c.ShortByOne(empty, members)
	c.Premise(quorumAt(v, "elastic", held) == len(members), nil, "the quorum came back to the %d members", len(members))
	c.Premise(quorumAt(v, "elastic", end) == len(members)-1, nil, "the quorum was lowered to the room for %d", len(members)-1)
	if early := kit.BoundBefore(v, "elastic", lastQuorum(v, "elastic")); len(early) > 0 {
		return []suites.Finding{c.About(early[0].Bound, kit.Objects(early)...).Holds(false,
			"%d of %d members were bound while the quorum in force was %d and there was room for %d",
			len(early), len(members), quorumAt(v, "elastic", early[0].Bound), len(members)-1)}
	}
	bound := v.BoundAt("elastic", end)
	return []suites.Finding{c.About(end).Holds(len(bound) == len(members)-1,
		"no member was bound under a quorum without room, and %d of %d were once it was lowered to the room", len(bound), len(members))}
}
