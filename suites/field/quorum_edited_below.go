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

// The quorum is raised while the gang still lacks members; when the members for the old quorum are there, the new one
// counts. Then it is lowered to what is there. A scheduler that keeps the first quorum it saw fails one way or the other.
func init() {
	suites.Register(suites.Scenario{
		Name:         "quorum-edited-while-short-of-members",
		Profile:      "gang",
		Summary:      "minCount is raised while a gang lacks members, its old quorum is reached, then minCount is lowered to it.",
		Requirements: []string{"FIELD-005"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 3, GPUs: 2}}},
		Weight:       30,
		Drive:        driveQuorumEditedBelow,
		Judge:        judgeQuorumEditedBelow,
	})
}

func driveQuorumEditedBelow(ctx context.Context, env suites.Env) error {
	room, err := slots(env, "pool", 4)
	if err != nil {
		return err
	}
	n := room - 2 // the old quorum; the new one fits the pool as well, so that room is never what lacks
	members := kit.Members(n, "elastic", "pool")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "elastic", Quorum: int32(n)}, members[:n-1]...); err != nil {
		return err
	}
	if err := env.SetQuorum(ctx, "elastic", int32(room)); err != nil {
		return fmt.Errorf("raising the quorum: %w", err)
	}
	// Groups and pods reach a scheduler on two ways, the later one perhaps first; the pause keeps that from mattering.
	env.Hold(ctx, "the raised quorum is to be known before the next member", pause)
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return fmt.Errorf("creating the member that makes up the old quorum: %w", err)
	}
	if err := kit.Watch(ctx, env, "hold", "held", room); err != nil {
		return err
	}
	if err := env.SetQuorum(ctx, "elastic", int32(n)); err != nil {
		return fmt.Errorf("lowering the quorum: %w", err)
	}
	kit.AwaitBound(ctx, env, "waited-for", "elastic", n)
	return ctx.Err()
}

func judgeQuorumEditedBelow(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-005")
	members := v.Members("elastic")
	hold, held := c.Watched("hold", "held", len(members))
	end := c.Mark("waited-for")
	c.Fits(hold, members)
	c.Premise(quorumAt(v, "elastic", held) > len(members), nil, "the raised quorum %d lies above the %d members", quorumAt(v, "elastic", held), len(members))
	c.Premise(quorumAt(v, "elastic", end) == len(members), nil, "the lowered quorum %d is the %d members", quorumAt(v, "elastic", end), len(members))
	if early := kit.BoundBefore(v, "elastic", lastQuorum(v, "elastic")); len(early) > 0 {
		return []suites.Finding{c.About(early[0].Bound, kit.Objects(early)...).Holds(false,
			"%d of %d members were bound while the quorum in force was %d", len(early), len(members), quorumAt(v, "elastic", early[0].Bound))}
	}
	bound := v.BoundAt("elastic", end)
	return []suites.Finding{c.About(end).Holds(len(bound) == len(members),
		"no member was bound under the raised quorum, and %d of %d were under the lowered one", len(bound), len(members))}
}

// lastQuorum is where the gang's quorum last changed.
func lastQuorum(v *history.View, gang string) history.Stamp {
	if g := v.Gang(gang); g != nil && len(g.Quorum) > 0 {
		return g.Quorum[len(g.Quorum)-1].Stamp
	}
	return history.Stamp{}
}
