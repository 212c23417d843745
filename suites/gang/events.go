package gang

import (
	"context"
	"fmt"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// lookUpEvents reads Events until every member of the gang has one, and the pod that was bound beside it.
func lookUpEvents(ctx context.Context, env suites.Env, gang, beside string) error {
	return kit.LookUpEvents(ctx, env, func(v *history.View, told []kit.Event) bool {
		return !slices.ContainsFunc(append(slices.Clone(v.Members(gang)), kit.Named(v, beside)...), func(p *history.Pod) bool {
			return len(kit.EventsAbout(told, "Pod", p.Name)) == 0
		})
	})
}

// judgeEvents: what tells users that a gang waits for room, and that a pod beside it was bound.
func judgeEvents(v *history.View, gang, beside string) suites.Finding {
	c := kit.For(v, "GANG-067")
	members := v.Members(gang)
	from, to := c.Watched("one slot short", "watched", kit.Quorum(v, gang))
	c.ShortByOne(from, members)
	c.Premise(len(members) > 0 && len(v.BoundAt(gang, to)) == 0, nil, "the gang waited as a whole")
	bound := kit.Named(v, beside)
	c.Premise(len(bound) == 1 && bound[0].BoundAt(c.Mark("plain pod")), nil, "a pod was bound beside it")
	told, looked := kit.EventsSeen(v)
	c.Premise(looked, nil, "the events were looked up")
	with, ofMembers := 0, []kit.Event(nil)
	for _, p := range members {
		list := kit.EventsAbout(told, "Pod", p.Name)
		if len(list) > 0 {
			with++
		}
		ofMembers = append(ofMembers, list...)
	}
	return c.About(to, "podgroup "+gang).Saw(fmt.Sprintf("of members %s (%d of %d have one); of the group %s; of a pod that was bound %s",
		kit.KindsOfEvents(ofMembers), with, len(members), kit.KindsOfEvents(kit.EventsAbout(told, "PodGroup", gang)),
		kit.KindsOfEvents(kit.EventsAbout(told, "Pod", beside))), "what Events tell of a gang without room and of a pod beside it")
}
