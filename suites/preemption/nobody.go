package preemption

import (
	"context"
	"math"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
)

func init() {
	n := needs(pool("nobody", 1, 1), pool("vain", 1, 1))
	n.PriorityClasses["least"] = math.MinInt32 // nothing can be of lower priority, in the pool or elsewhere
	suites.Register(suites.Scenario{
		Name:         "preemption-nobody-to-evict",
		Profile:      "preemption",
		Summary:      "Two gangs do not fit: one is of the lowest priority there can be, the other is larger than its nodes, whoever is evicted.",
		Requirements: []string{"PRE-007"},
		Needs:        n,
		Weight:       3,
		Drive:        driveNobody,
		Judge:        judgeNobody,
	})
}

// waiting are the gangs, the pools they want, and how many members they want there at the same time.
var waiting = []struct {
	gang, pool, held, class string
	quorum                  int
	what                    string
}{
	{"n", "nobody", "least", "least", 1, "nobody is of lower priority"},
	{"v", "vain", "low", "high", 2, "eviction would not help"},
}

func driveNobody(ctx context.Context, env suites.Env) error {
	for _, w := range waiting {
		if err := place(ctx, env, on(env.Pool(w.pool).Nodes()[0], pod("held-"+w.pool, w.pool, w.held))); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	for _, w := range waiting {
		m := member(w.gang, w.gang, w.pool, w.class)
		g := gangOfOne(w.gang)
		g.Quorum = int32(w.quorum)
		if err := attackWith(ctx, env, g, w.quorum, m); err != nil {
			return err
		}
	}
	// One is of lower priority than everybody, so that in a queue it is the last.
	env.Await(ctx, "both say why they wait", 2*kit.Patience(env, 2), func(v *history.View) bool {
		return speaks(v.Gang(waiting[0].gang)) && speaks(v.Gang(waiting[1].gang))
	})
	// Messages are no part of the view, since nobody may judge them.
	for _, w := range waiting {
		if _, err := env.Try(ctx, "read "+w.gang, suites.Attempt{Verb: history.VerbGet, GVR: podGroups, Name: w.gang}); err != nil {
			return err
		}
	}
	env.Mark(ctx, settled)
	return ctx.Err()
}

// speaks reports whether a group has a condition that says whether it is scheduled.
func speaks(g *history.Gang) bool { return g != nil && len(g.Satisfied) > 0 }

func judgeNobody(v *history.View) []suites.Finding {
	c := kit.For(v, "PRE-007")
	at, end := c.Mark(ready), c.Mark(settled)
	var said []string
	for _, w := range waiting {
		held := podsOf(v, "held-"+w.pool)
		g := gang(v, w.gang, held...)
		g.fits(c, nil, false, "no room for %d of %d pods of gang "+w.gang, g.need, len(g.preemptor))
		c.Premise(len(boundOf(held, at)) == 1 && len(g.preemptor) > 0, nil, "a pod holds the node that gang %s wants", w.gang)
		switch lower := len(held) > 0 && len(g.preemptor) > 0 && held[0].Priority < g.preemptor[0].Priority; w.class {
		case "least":
			c.Premise(!lower && len(g.preemptor) > 0 && g.preemptor[0].Priority == math.MinInt32, nil, "no priority is lower than that of gang %s", w.gang)
		default:
			c.Premise(lower, nil, "the pod in the way of gang %s is of lower priority", w.gang)
			g.fits(c, held, false, "no room for %d of %d pods of gang "+w.gang+" without it", g.need, len(g.preemptor))
		}
		read, ok := v.Try("read " + w.gang)
		c.Premise(ok && read.OK(), nil, "gang %s could be read", w.gang)
		said = append(said, w.what+": "+condition(v.Gang(w.gang), at, end)+", "+ofPreemption(scheduledMessage(answer.Decode(read.Object)), namespaceOf(g.preemptor)))
	}
	return []suites.Finding{c.About(end, "podgroup n", "podgroup v").Saw(strings.Join(said, "; "), "what the condition of a gang that waits says of preemption")}
}

// scheduledMessage is the message with which a group says whether it is scheduled.
func scheduledMessage(group answer.Object) string {
	status, _ := group["status"].(answer.Object)
	list, _ := status["conditions"].([]any)
	for _, item := range list {
		if c, ok := item.(answer.Object); ok && c["type"] == "PodGroupInitiallyScheduled" {
			text, _ := c["message"].(string)
			return text
		}
	}
	return ""
}

// ofPreemption quotes the first clause of a message that speaks of preemption, in other words than names: those of the
// namespace, its nodes and its classes all begin with the scenario's, and that speaks of it too. It is for people to read.
func ofPreemption(message, namespace string) string {
	for _, clause := range strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(",;.\n", r) }) {
		words := slices.DeleteFunc(strings.Fields(clause), func(w string) bool { return strings.Contains(w, namespace) })
		for _, word := range []string{"preempt", "victim", "evict"} {
			if strings.Contains(strings.ToLower(strings.Join(words, " ")), word) {
				return `"` + strings.TrimSpace(clause) + `"`
			}
		}
	}
	return "nothing of preemption"
}

func namespaceOf(pods []*history.Pod) string {
	if len(pods) == 0 {
		return ""
	}
	return pods[0].Namespace
}
