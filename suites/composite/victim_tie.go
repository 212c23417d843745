package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// tie puts a tree of one pod and a group of one pod, both of low priority and disrupted as a whole, on the node of a pool.
func tie(ctx context.Context, env suites.Env, pool string) error {
	node := env.Pool(pool).Nodes()[0]
	c := root("peer", 1)
	c.PriorityClass, c.DisruptAll = "low", true
	if err := createComposites(ctx, env, c); err != nil {
		return err
	}
	if err := placedGang(ctx, env, leaf("peer", "p", 1), "low", pool, node); err != nil {
		return err
	}
	return placedGang(ctx, env, build.Gang{Name: "alone", Quorum: 1, DisruptAll: true}, "low", pool, node)
}

// judgeTie: whose place the gang z takes.
func judgeTie(v *history.View) suites.Finding {
	c := kit.For(v, "CPG-056")
	tree(c, v, "peer", 1)
	run := c.Mark("running")
	_, to := c.Watched("created", "watched", 1)
	c.ShortWithin(run, v.Members("z"), "", "", 1)
	peer, alone := v.Composite("peer"), v.Gang("alone")
	c.Premise(peer != nil && alone != nil && alone.Parent == "" && peer.Priority == alone.Priority, nil, "a tree and a group of one priority ran")
	var gone []string
	for _, of := range [][2]string{{"p", "the tree"}, {"alone", "the group"}} {
		c.Premise(len(v.BoundAt(of[0], run)) == 1, nil, "a pod of gang %s ran", of[0])
		if len(kit.DisturbedBetween(v.Members(of[0]), run, to)) > 0 {
			gone = append(gone, of[1])
		}
	}
	value := "neither"
	switch len(gone) {
	case 1:
		value = gone[0]
	case 2:
		value = "both"
	}
	return c.About(to).Saw(value, "which of a tree and a group of one priority was evicted")
}
