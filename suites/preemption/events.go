package preemption

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// lookUpEvents reads Events until every one of the pods that were preempted has one, a bounded number of times. Victims
// here were created on their nodes, so that they have none for their bind.
func lookUpEvents(ctx context.Context, env suites.Env, pods func(*history.View) []*history.Pod) error {
	return kit.LookUpEvents(ctx, env, func(v *history.View, told []kit.Event) bool {
		return !slices.ContainsFunc(preempted(v, pods(v), v.Now()), func(p *history.Pod) bool { return len(kit.EventsAbout(told, "Pod", p.Name)) == 0 })
	})
}

// judgeEvents: what the victims' Events say. who are the preemptors, in words, beside their stories.
func judgeEvents(v *history.View, who []string, stories ...story) suites.Finding {
	c := kit.For(v, "PRE-061")
	at := c.Mark(settled)
	told, looked := kit.EventsSeen(v)
	c.Premise(looked, nil, "the events were looked up")
	var said []string
	for i, s := range stories {
		gone := preempted(v, s.legal, at)
		c.Premise(len(gone) > 0, nil, "somebody was preempted for a %s", who[i])
		with, named := 0, 0
		var all []kit.Event
		for _, p := range gone {
			list := kit.EventsAbout(told, "Pod", p.Name)
			if len(list) > 0 {
				with++
			}
			if slices.ContainsFunc(list, func(e kit.Event) bool { return strings.Contains(e.Note, p.Node) }) {
				named++
			}
			all = append(all, list...)
		}
		said = append(said, fmt.Sprintf("for a %s %d of %d have one (%s), naming the node in %d",
			who[i], with, len(gone), kit.KindsOfEvents(all), named))
	}
	return c.About(at).Saw(strings.Join(said, "; "), "what Events the victims have")
}
