package basic

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "basic-nothing-fits",
		Profile:      "basic",
		Summary:      "No node can hold any member of a basic group.",
		Requirements: []string{"BASIC-004"},
		Needs:        needs(2),
		Weight:       19,
		Drive:        driveNothingFits,
		Judge:        judgeNothingFits,
	})
}

func driveNothingFits(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 2)
	if err != nil {
		return err
	}
	pods := members(n)
	for i := range pods {
		pods[i].GPUs = 2 // every node has one
	}
	if err := kit.CreateGang(ctx, env, basicGroup(), pods...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", n)
}

func judgeNothingFits(v *history.View) []suites.Finding {
	all := v.Members(group)
	c := kit.For(v, "BASIC-004")
	from, to := c.Watched("created", "watched", len(all))
	c.NeverRoom(from, to, all, 1)
	g := v.Gang(group)
	c.Premise(g != nil, nil, "the group is part of the record")
	return []suites.Finding{c.Saw(said(g, to), "what the condition of a basic group says when nothing fits")}
}

// said is what the group's "initially scheduled" condition says at the stamp.
func said(g *history.Gang, at history.Stamp) string {
	if g == nil {
		return "no group"
	}
	c, _ := history.ValueAt(g.Satisfied, at)
	switch {
	case c.Status == "":
		return "no condition"
	case c.Reason == "":
		return c.Status
	}
	return c.Status + " (" + c.Reason + ")"
}
