package gang

import (
	"context"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-two-gangs-one-room",
		Profile:      "gang",
		Summary:      "Two gangs whose members come by turns compete for room for one, in both orders.",
		Requirements: []string{"GANG-052", "GANG-070"},
		Needs:        needs(single("ab", 3), single("ba", 3)),
		Weight:       24,
		Drive:        driveTwoGangsOneRoom,
		Judge:        judgeTwoGangsOneRoom,
	})
}

func driveTwoGangsOneRoom(ctx context.Context, env suites.Env) error {
	sizes := map[string]int{}
	for _, p := range []string{"ab", "ba"} {
		n, err := slots(env, p, 2)
		if err != nil {
			return err
		}
		sizes[p] = n
	}
	env.Mark(ctx, "empty")
	// In one pool a comes first, in the other b. The members alternate, so that one pod after the other would end half
	// and half.
	for _, p := range []struct{ name, first, second string }{{"ab", "a-ab", "b-ab"}, {"ba", "b-ba", "a-ba"}} {
		n := sizes[p.name]
		for _, g := range []string{p.first, p.second} {
			if err := env.CreateGang(ctx, build.Gang{Name: g, Quorum: int32(n)}); err != nil {
				return err
			}
		}
		first, second := kit.Members(n, p.first, p.name), kit.Members(n, p.second, p.name)
		for i := range n {
			if err := env.CreatePods(ctx, first[i], second[i]); err != nil {
				return err
			}
		}
	}
	for _, p := range []string{"ab", "ba"} {
		env.Await(ctx, "one gang of "+p, kit.Patience(env, sizes[p]),
			kit.Either(kit.Bound("a-"+p, sizes[p]), kit.Bound("b-"+p, sizes[p])))
	}
	return kit.Watch(ctx, env, "at rest", "watched", max(sizes["ab"], sizes["ba"]))
}

func judgeTwoGangsOneRoom(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, p := range []string{"ab", "ba"} {
		a, b := "a-"+p, "b-"+p
		n := kit.Quorum(v, a)
		c := kit.For(v, "GANG-052")
		both := append(slices.Clone(c.Exist(a, n)), c.Exist(b, n)...)
		c.RoomFor(c.Mark("empty"), both, n)
		_, to := c.Watched("at rest", "watched", n)
		inA, inB := len(v.BoundAt(a, to)), len(v.BoundAt(b, to))
		out = append(out, c.About(to, kit.Objects(both)...).Holds(max(inA, inB) == n && min(inA, inB) == 0,
			"two gangs of %d with room for %d: %d members of %s and %d of %s bound at rest; expected all of one and none of the other",
			n, n, inA, a, inB, b))
	}
	return append(out, judgeElder(v))
}

// judgeElder: in which pools the gang that was created first is the one that is bound, and is complete first, too.
func judgeElder(v *history.View) suites.Finding {
	c := kit.For(v, "GANG-070")
	var won []string
	for _, p := range []struct{ name, first, second string }{{"ab", "a-ab", "b-ab"}, {"ba", "b-ba", "a-ba"}} {
		n := kit.Quorum(v, p.first)
		first, second := c.Exist(p.first, n), c.Exist(p.second, n)
		_, to := c.Watched("at rest", "watched", n)
		c.Premise(kit.LastCreated(second).After(kit.LastCreated(first)), nil, "gang %s was complete before %s", p.first, p.second)
		older, newer := len(v.BoundAt(p.first, to)), len(v.BoundAt(p.second, to))
		c.Premise(max(older, newer) == n && min(older, newer) == 0, nil, "one of %s and %s is bound as a whole, and it alone", p.first, p.second)
		if older > newer {
			won = append(won, "the older")
		} else {
			won = append(won, "the newer")
		}
	}
	return c.Saw(strings.Join(won, ", then "), "which of two gangs of one priority is bound, in two pools")
}
