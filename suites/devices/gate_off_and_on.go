package devices

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	n := needs(1)
	n.NoScheduler, n.Capabilities = true, []string{suites.RestartComponents}
	suites.Register(suites.Scenario{
		Name:         "devices-gate-off-and-on",
		Profile:      "devices",
		Summary:      "While a group holds a claim made for it, the controller manager is restarted without the gate of groups' claims, and with it again.",
		Requirements: []string{"DRA-015"},
		Needs:        n,
		Isolation:    suites.OwnCluster,
		Weight:       30,
		Drive:        driveGateOffAndOn,
		Judge:        judgeGateOffAndOn,
	})
}

// withoutGroupClaims are the flags of a controller manager that knows no claims of groups.
var withoutGroupClaims = suites.Flags{Gates: map[string]bool{"DRAWorkloadResourceClaims": false}}

// The driver schedules by hand. The pod alone is of no group: that it gets a claim of its own shows that the controller is
// at work without the gate.
func driveGateOffAndOn(ctx context.Context, env suites.Env) error {
	components, err := suites.ComponentsOf(env)
	if err != nil {
		return err
	}
	if err := publish(ctx, env, onFabric(env, alike(1)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	entry := made("gpu", "gpu")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Policy: build.BasicPolicy, Devices: []build.DeviceClaim{entry}}, handled("stays", "g", entry), handled("leaves", "g", entry)); err != nil {
		return err
	}
	name := generated(ctx, env, "the claim is made", "g", "gpu")["gpu"]
	saying(ctx, env, "the pods know it", "gpu", "stays", "leaves")
	if err := ctx.Err(); err != nil || name == "" {
		return err
	}
	if err := allocate(ctx, env, name, env.Namespace(), "dev-0", group(ctx, env, "g")); err != nil {
		return err
	}
	if err := placeAll(ctx, env, "stays", "leaves"); err != nil {
		return err
	}
	env.Mark(ctx, "in use")
	if err := restart(ctx, components, withoutGroupClaims); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, handled("stuck", "g", entry), handled("alone", "", entry)); err != nil {
		return err
	}
	saying(ctx, env, "the pod alone has a claim", "gpu", "alone")
	env.Hold(ctx, "the controller makes something for the new member", glance)
	env.Mark(ctx, "off")
	if err := kit.Vacate(ctx, env, "stuck", "leaves"); err != nil {
		return err
	}
	env.Hold(ctx, "the controller gives something back", glance)
	env.Mark(ctx, "deleted")
	if err := restart(ctx, components, suites.Flags{}); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, handled("later", "g", entry)); err != nil {
		return err
	}
	saying(ctx, env, "the later pod knows a claim", "gpu", "later")
	env.Hold(ctx, "the controller makes more claims", glance)
	env.Mark(ctx, "on again")
	return ctx.Err()
}

// restart restarts the controller manager.
func restart(ctx context.Context, c suites.Components, flags suites.Flags) error {
	if err := c.StopComponent(ctx, suites.ControllerManager); err != nil {
		return err
	}
	return c.StartComponent(ctx, suites.ControllerManager, flags)
}

func judgeGateOffAndOn(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-015")
	inUse, off, deleted, again := c.Mark("in use"), c.Mark("off"), c.Mark("deleted"), c.Mark("on again")
	stopped, started, ok := v.Broken(suites.ControllerManager)
	c.Premise(ok && stopped.After(inUse) && !started.IsZero() && !started.After(off), nil, "the controller manager was restarted while the claim was in use")
	alone := v.Pod("alone")
	c.Premise(alone != nil && alone.GeneratedFor("gpu") != "", nil, "a pod of no group had a claim made while the gate was off")
	mine := groupClaims(v, "g")
	c.Premise(len(mine) > 0 && !mine[0].Created.After(inUse) && forGroup(v, mine[0], "g", inUse), nil, "the group held the claim that was made for it")
	stuck, leaves, later := v.Pod("stuck"), v.Pod("leaves"), v.Pod("later")
	c.Premise(stuck != nil && leaves != nil && later != nil, nil, "all members were seen")
	if stuck == nil || leaves == nil || later == nil || len(mine) == 0 {
		return []suites.Finding{c.Holds(false, "nothing to look at")}
	}
	kept := true
	for _, at := range []history.Stamp{off, deleted, again} {
		kept = kept && mine[0].AliveAt(at) && forGroup(v, mine[0], "g", at)
	}
	more := len(mine) - 1 + len(v.ClaimsOf(stuck.UID)) + len(v.ClaimsOf(later.UID))
	gone := !stuck.Gone.IsZero() && !stuck.Gone.After(deleted) && !leaves.Gone.IsZero() && !leaves.Gone.After(deleted)
	return []suites.Finding{c.About(again, objects(mine)...).Holds(
		kept && more == 0 && gone && stuck.GeneratedFor("gpu") == "" && later.GeneratedFor("gpu") == mine[0].Name,
		"the group's claim stays as it was: %t; further claims made: %d; a member that came while the gate was off was given %q, expected none; deleted members are gone: %t; one that came when it was on again was given %q, expected %q",
		kept, more, stuck.GeneratedFor("gpu"), gone, later.GeneratedFor("gpu"), mine[0].Name)}
}
