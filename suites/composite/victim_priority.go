package composite

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-victim-priorities",
		Profile:      "composite",
		Summary:      "A gang needs a node, which trees of a low and of a middle priority hold; another one finds only a tree of its own priority, a third one a tree and a group of one priority.",
		Requirements: []string{"CPG-046", "CPG-047", "CPG-056"},
		Needs:        withClasses(suites.Needs{Pools: []nodes.Pool{{Name: "lower", Count: 1, GPUs: 2}, {Name: "equal", Count: 1, GPUs: 1}, {Name: "tied", Count: 1, GPUs: 2}}}),
		Weight:       16,
		Drive:        drivePriorities,
		Judge:        judgePriorities,
	})
}

func drivePriorities(ctx context.Context, env suites.Env) error {
	for _, t := range []struct{ tree, gang, class, pool string }{
		{"mid", "m", "mid", "lower"}, {"low", "l", "low", "lower"}, {"same", "s", "high", "equal"},
	} {
		c := root(t.tree, 1)
		c.PriorityClass, c.DisruptAll = t.class, true
		if err := createComposites(ctx, env, c); err != nil {
			return err
		}
		if err := placedGang(ctx, env, leaf(t.tree, t.gang, 1), t.class, t.pool, env.Pool(t.pool).Nodes()[0]); err != nil {
			return err
		}
	}
	if err := tie(ctx, env, "tied"); err != nil {
		return err
	}
	env.Mark(ctx, "running")
	for _, preemptor := range [][2]string{{"x", "lower"}, {"y", "equal"}, {"z", "tied"}} {
		name, pool := preemptor[0], preemptor[1]
		p := kit.Member(name, pool)
		p.Name, p.PriorityClass = name+"-0", "high"
		if err := kit.CreateGang(ctx, env, build.Gang{Name: name, Quorum: 1, PriorityClass: "high"}, p); err != nil {
			return err
		}
	}
	return kit.Watch(ctx, env, "created", "watched", 1)
}

func judgePriorities(v *history.View) []suites.Finding {
	opened := func(id, preemptor string, trees ...string) (*kit.Case, history.Stamp, history.Stamp) {
		c := kit.For(v, id)
		for _, name := range trees {
			tree(c, v, name, 1)
		}
		run := c.Mark("running")
		_, to := c.Watched("created", "watched", 1)
		c.ShortWithin(run, v.Members(preemptor), "", "", 1)
		return c, run, to
	}
	rank := func(name string) int32 {
		if r := v.Composite(name); r != nil {
			return r.Priority
		}
		return 0
	}
	of := func(gang string) int32 {
		if m := v.Members(gang); len(m) > 0 {
			return m[0].Priority
		}
		return 0
	}
	choice, from, to := opened("CPG-046", "x", "low", "mid")
	choice.Premise(rank("low") < rank("mid") && rank("mid") < of("x"), nil, "one tree is of lower priority than the other, both of lower than the preemptor")
	low, mid := len(kit.DisturbedBetween(v.Members("l"), from, to)), len(kit.DisturbedBetween(v.Members("m"), from, to))
	bound := len(v.BoundAt("x", to))

	equal, from, to := opened("CPG-047", "y", "same")
	equal.Premise(rank("same") == of("y") && of("y") > 0, nil, "the tree is of the preemptor's priority")
	return []suites.Finding{
		choice.About(to, kit.Objects(all(v, "l", "m"))...).Holds(low == 1 && mid == 0 && bound == 1,
			"%d of 1 pods of the tree of lowest priority and %d of 1 of the other were evicted, and %d of 1 of the preemptor bound", low, mid, bound),
		equal.Untouched(v.Members("s"), from, to, "for a gang of the same priority"),
		judgeTie(v),
	}
}
