package composite

import (
	"context"
	"fmt"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-torn-apart",
		Profile:      "composite",
		Summary:      "A node under a running tree that demands one rack is moved to another rack; then a second gang of the tree comes.",
		Requirements: []string{"CPG-052"},
		Needs:        needs(racks(2, 3)),
		Weight:       25,
		Drive:        driveTornApart,
		Judge:        judgeTornApart,
	})
}

func driveTornApart(ctx context.Context, env suites.Env) error {
	// Only one rack takes the first gang; either has a node for the second.
	if _, err := fill(ctx, env, "taken", "", rack(env, 1)[:2]...); err != nil {
		return err
	}
	if err := createComposites(ctx, env, rackRoot(env, 1)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "a", 2), 2); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "first child bound", "a", 2) {
		return ctx.Err()
	}
	node := rack(env, 0)[0]
	env.Await(ctx, "where the first member stands", time.Second, func(v *history.View) bool {
		if p := v.Pod("a-0"); p != nil && p.Node != "" {
			node = p.Node
			return true
		}
		return false
	})
	label := fmt.Appendf(nil, `{"metadata":{"labels":{%q:%q}}}`, env.Pool(mainPool).Spec().RackKey, env.Pool(mainPool).Name()+"-rack-1")
	if err := env.PatchNode(ctx, node, label); err != nil {
		return err
	}
	env.Hold(ctx, "the scheduler sees the label", glance)
	if err := createLeaf(ctx, env, leaf("tree", "b", 1), 1); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "torn", "watched", 3)
}

func judgeTornApart(v *history.View) []suites.Finding {
	key := keyOf(v, "tree")
	c := kit.For(v, "CPG-052")
	tree(c, v, "tree", 2)
	running := v.BoundAt("a", c.Mark("first child bound"))
	from, to := c.Watched("torn", "watched", 3)
	now := map[string]bool{}
	for _, p := range running {
		now[kit.DomainOf(v, p.Node, key, from)] = true
	}
	c.Premise(key != "" && len(running) == 2 && len(now) == 2, nil, "the first gang's nodes were in two racks by then")
	late := v.Members("b")
	c.Premise(len(late) == 1, nil, "a second gang came (seen: %d pods)", len(late))
	c.Fits(from, late)
	became := "waits"
	if len(late) == 1 && late[0].Bound.Before(to) {
		became = "is bound"
	}
	left := len(running) - len(kit.DisturbedBetween(running, c.Mark("first child bound"), to))
	return []suites.Finding{c.About(to, kit.Objects(late)...).Saw(
		fmt.Sprintf("the late child %s; %d of %d pods run on", became, left, len(running)),
		"a late child of a tree whose nodes are in two racks by now")}
}
