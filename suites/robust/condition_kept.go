package robust

import (
	"context"
	"slices"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// keptSize is the size of the gang and of its pool.
const keptSize = 2

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-condition-when-binds-fail",
		Summary:      "As many binds of a gang fail as it has members, before any is carried out.",
		Requirements: []string{"ROB-018"},
		Needs:        needs(map[string]int{mainPool: keptSize}),
		Weight:       12,
		Drive:        driveKept,
		Judge:        judgeKept,
	}))
}

func driveKept(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	if _, err := slots(env, mainPool, keptSize); err != nil {
		return err
	}
	rule := bindsOf(env, "refused", "g", faults.Fault{Status: 500})
	rule.Times = keptSize
	if err := f.Break(ctx, rule); err != nil {
		return err
	}
	if err := gang(ctx, env, "g", mainPool, keptSize); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "complete", keptSize, kit.All(kit.Bound("g", keptSize), func(v *history.View) bool {
		return !firstTrue(v.Gang("g")).IsZero()
	}))
	return ctx.Err()
}

func judgeKept(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-018")
	hit(c, v, "refused", keptSize)
	end := c.Mark("complete")
	members := v.BoundAt("g", end)
	c.Premise(len(members) == keptSize && kit.Quorum(v, "g") == keptSize, nil,
		"the quorum of %d members was bound in the end (%d were)", keptSize, len(members))
	// Whether a condition came before a bind needs an order of groups and pods.
	c.Premise(v.Ordered(), nil, "the record orders groups and pods")
	var first history.Stamp
	for _, p := range members {
		if first.IsZero() || p.Bound.Before(first) {
			first = p.Bound
		}
	}
	return []suites.Finding{c.About(first).Saw(keptWords(v.Gang("g"), first, end),
		"what the condition of a gang says whose first %d binds fail", keptSize)}
}

// keptWords say when the condition of the gang turned True and whether that was taken back.
func keptWords(g *history.Gang, firstBind, end history.Stamp) string {
	said := firstTrue(g)
	switch {
	case said.IsZero() || said.After(end):
		return "not True"
	case !said.Before(firstBind):
		return "True after the first bind"
	case slices.ContainsFunc(g.Satisfied, func(s history.At[history.Condition]) bool {
		return s.Stamp.After(said) && !s.Stamp.After(end) && s.Value.Status != "True"
	}):
		return "True before the first bind, and taken back"
	}
	return "True before the first bind, and kept"
}

// firstTrue is when the condition of the gang first turned True; zero: never.
func firstTrue(g *history.Gang) history.Stamp {
	if g != nil {
		for _, s := range g.Satisfied {
			if s.Value.Status == "True" {
				return s.Stamp
			}
		}
	}
	return history.Stamp{}
}
