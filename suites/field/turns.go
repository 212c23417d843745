package field

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/premise"
	"muster/workloads/build"
)

// takeTurns submits gangs of n members, of which only one at a time fits the pool, with their pods interleaved, and
// lets them take turns: it waits until one gang is complete, deletes it, and waits for the next. In the held round it
// also watches for the settle bound while the others wait.
func takeTurns(ctx context.Context, env suites.Env, gangs []string, n, held int) error {
	pods := map[string][]build.Pod{}
	var decks [][]build.Pod
	for _, g := range gangs {
		if err := env.CreateGang(ctx, build.Gang{Name: g, Quorum: int32(n)}); err != nil {
			return fmt.Errorf("creating gang %s: %w", g, err)
		}
		pods[g] = kit.Members(n, g, "pool")
		decks = append(decks, pods[g])
	}
	if err := env.CreatePods(ctx, interleave(decks...)...); err != nil {
		return fmt.Errorf("creating the interleaved pods: %w", err)
	}
	waiting := slices.Clone(gangs)
	for round := 1; ; round++ {
		var winner string
		complete := func(v *history.View) bool {
			winner = strings.Join(completeAt(v, v.Now(), waiting), " ")
			return winner != ""
		}
		env.Await(ctx, fmt.Sprintf("one of the gangs %v complete", waiting), kit.Patience(env, n), complete)
		if err := ctx.Err(); err != nil {
			return err
		}
		if round == held {
			if err := kit.Watch(ctx, env, "hold", "held", n); err != nil {
				return err
			}
		}
		env.Mark(ctx, roundMark(round))
		waiting = slices.DeleteFunc(waiting, func(g string) bool { return g == winner })
		if len(waiting) == 0 || !slices.Contains(gangs, winner) {
			return nil // all had their turn, or none got one (or two at once): the judge will say
		}
		if err := env.DeletePods(ctx, build.Names(pods[winner])...); err != nil {
			return fmt.Errorf("deleting the pods of gang %s: %w", winner, err)
		}
		if err := env.DeleteGang(ctx, winner); err != nil {
			return fmt.Errorf("deleting gang %s: %w", winner, err)
		}
	}
}

func roundMark(round int) string { return fmt.Sprintf("round-%d", round) }

// interleave deals the pods of several gangs like cards: the first of each, the second of each, and so on.
func interleave(gangs ...[]build.Pod) []build.Pod {
	var out []build.Pod
	for i := 0; ; i++ {
		dealt := len(out)
		for _, g := range gangs {
			if i < len(g) {
				out = append(out, g[i])
			}
		}
		if len(out) == dealt {
			return out
		}
	}
}

// judgeTurns says whether in each round exactly one of the gangs was complete, and whether in the held round those
// that waited held nothing at all.
func judgeTurns(id string, held int, gangs ...string) func(*history.View) []suites.Finding {
	return func(v *history.View) []suites.Finding {
		c := kit.For(v, id)
		waiting := slices.Clone(gangs)
		for round := 1; len(waiting) > 0; round++ {
			at := c.Mark(roundMark(round))
			if at.IsZero() {
				break
			}
			oneFits(c, v, at, waiting)
			complete := completeAt(v, at, waiting)
			if len(complete) != 1 {
				return []suites.Finding{c.About(at).Holds(false,
					"round %d: exactly one of the waiting gangs fits, %d are complete (bound: %s)", round, len(complete), standing(v, at, waiting))}
			}
			waiting = slices.DeleteFunc(waiting, func(g string) bool { return g == complete[0] })
			if round == held {
				c.Watched("hold", "held", len(v.Members(complete[0])))
				if left := holders(v, at, waiting); len(left) > 0 {
					return []suites.Finding{c.About(at, kit.Objects(left)...).Holds(false,
						"round %d: gang %s is complete, and a settle bound later those that wait still hold room (bound: %s)",
						round, complete[0], standing(v, at, waiting))}
				}
			}
		}
		return []suites.Finding{c.Holds(true, "%d gangs took turns in a pool with room for one: one was complete at a time and each got its turn", len(gangs))}
	}
}

// oneFits is the premise that at the stamp there was room for one of the gangs and not for two.
func oneFits(c *kit.Case, v *history.View, at history.Stamp, gangs []string) {
	pods, size := []*history.Pod{}, 0
	for _, g := range gangs {
		m := v.Members(g)
		pods, size = append(pods, m...), max(size, len(m))
	}
	room, err := premise.Room(v, at, pods)
	c.Premise(size > 0 && room >= size && room < 2*size, err,
		"room for one gang of %d and not for two of the %d that wait (there was room for %d pods)", size, len(gangs), room)
}

// completeAt are those of the gangs that have their quorum bound at the stamp.
func completeAt(v *history.View, at history.Stamp, gangs []string) []string {
	var out []string
	for _, g := range gangs {
		if q := quorumAt(v, g, at); q > 0 && len(v.BoundAt(g, at)) >= q {
			out = append(out, g)
		}
	}
	return out
}

// quorumAt is the minCount in force at the stamp; zero where the gang did not exist.
func quorumAt(v *history.View, gang string, at history.Stamp) int {
	g := v.Gang(gang)
	if g == nil {
		return 0
	}
	q, _ := history.ValueAt(g.Quorum, at)
	return int(q)
}

// holders are the bound members of the gangs at the stamp.
func holders(v *history.View, at history.Stamp, gangs []string) []*history.Pod {
	var out []*history.Pod
	for _, g := range gangs {
		out = append(out, v.BoundAt(g, at)...)
	}
	return out
}

// standing says for each gang how many of its members are bound at the stamp.
func standing(v *history.View, at history.Stamp, gangs []string) string {
	out := make([]string, len(gangs))
	for i, g := range gangs {
		out[i] = fmt.Sprintf("%s %d of %d", g, len(v.BoundAt(g, at)), quorumAt(v, g, at))
	}
	return strings.Join(out, ", ")
}
