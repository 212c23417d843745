package devices

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-late-pieces",
		Profile:      "devices",
		Summary:      "A member comes before its group, and a group before its template.",
		Requirements: []string{"DRA-006", "DRA-008", "DRA-055"},
		Needs:        needs(1),
		Weight:       15,
		Drive:        driveLatePieces,
		Judge:        judgeLatePieces,
	})
}

func driveLatePieces(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(1)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "early"); err != nil {
		return err
	}
	entry := made("gpu", "early")
	if err := env.CreatePods(ctx, handled("p", "late-group", entry)); err != nil {
		return err
	}
	missing := made("gpu", "late")
	if err := env.CreateGang(ctx, build.Gang{Name: "waits", Policy: build.BasicPolicy, Devices: []build.DeviceClaim{missing}}); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, handled("q", "waits", missing)); err != nil {
		return err
	}
	env.Hold(ctx, "pieces are missing", glance)
	if err := kit.LookUpEvents(ctx, env, func(_ *history.View, told []kit.Event) bool {
		return len(kit.EventsAbout(told, "PodGroup", "waits")) > 0
	}); err != nil {
		return err
	}
	env.Mark(ctx, "missing")
	if err := env.CreateGang(ctx, build.Gang{Name: "late-group", Policy: build.BasicPolicy, Devices: []build.DeviceClaim{entry}}); err != nil {
		return err
	}
	if err := template(ctx, env, "late"); err != nil {
		return err
	}
	env.Await(ctx, "everybody knows a claim", 2*soon, kit.All(says("p", "late-group"), says("q", "waits")))
	env.Mark(ctx, "complete")
	return ctx.Err()
}

// says holds once the pod's status names the claim that its group's status names.
func says(pod, gang string) func(*history.View) bool {
	return func(v *history.View) bool {
		p, g := v.Pod(pod), v.Gang(gang)
		return p != nil && g != nil && p.GeneratedFor("gpu") != "" && p.GeneratedFor("gpu") == g.GeneratedAt(v.Now(), "gpu")
	}
}

func judgeLatePieces(v *history.View) []suites.Finding {
	judge := func(id, pod, gang, what string) suites.Finding {
		c := kit.For(v, id)
		early, at := c.Mark("missing"), c.Mark("complete")
		p, g := v.Pod(pod), v.Gang(gang)
		c.Premise(p != nil && g != nil, nil, "the pod and the group were seen")
		if p == nil || g == nil {
			return c.Holds(false, "nothing was seen")
		}
		if gang == "late-group" {
			c.Premise(g.Created.After(early), nil, "the group came after its member")
		} else {
			c.Premise(g.GeneratedAt(early, "gpu") == "", nil, "there was no claim before the template")
		}
		own := len(v.ClaimsOf(p.UID))
		agreed := p.GeneratedFor("gpu") != "" && p.GeneratedFor("gpu") == g.GeneratedAt(at, "gpu")
		return c.About(at, "pod "+p.Namespace+"/"+p.Name).Holds(agreed && own == 0 && len(v.ClaimsOf(g.UID)) == 1,
			"%s: the pod's status names its group's claim: %t; claims of its own: %d; claims of the group: %d; expected one, and none of its own",
			what, agreed, own, len(v.ClaimsOf(g.UID)))
	}
	return []suites.Finding{
		judge("DRA-006", "p", "late-group", "the group came after its member"),
		judge("DRA-008", "q", "waits", "the template came after its group"),
		judgeMissingTold(v),
	}
}

// judgeMissingTold: what tells users that the claim of a group cannot be made, for want of its template.
func judgeMissingTold(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-055")
	at := c.Mark("missing")
	g := v.Gang("waits")
	c.Premise(g != nil && g.GeneratedAt(at, "gpu") == "", nil, "the group was there, and no claim for it")
	c.Premise(v.Pod("q") != nil, nil, "a member of it was there")
	told, looked := kit.EventsSeen(v)
	c.Premise(looked, nil, "the events were looked up")
	return c.About(at, "podgroup waits").Saw(fmt.Sprintf("of the group: %s; of its member: %s",
		kit.KindsOfEvents(kit.EventsAbout(told, "PodGroup", "waits")), kit.KindsOfEvents(kit.EventsAbout(told, "Pod", "q"))),
		"what Events tell of a group whose claim has no template")
}
