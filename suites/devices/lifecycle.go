package devices

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-lifecycle",
		Profile:      "devices",
		Summary:      "A group's claims are made, used, left alone and given back; the driver schedules by hand.",
		Requirements: []string{"DRA-004", "DRA-005", "DRA-035", "DRA-036", "DRA-048", "DRA-042", "DRA-013", "DRA-014"},
		Needs:        needs(1),
		Weight:       20,
		Drive:        driveLifecycle,
		Judge:        judgeLifecycle,
	})
}

// The group has a claim by name and one from a template. Its first members end, the group is deleted while another member
// runs, and then that one goes.
func driveLifecycle(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(2)...)); err != nil {
		return err
	}
	if err := claim(ctx, env, "named"); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	entries := []build.DeviceClaim{made("gpu", "gpu"), named("named", "named")}
	if err := env.CreateGang(ctx, build.Gang{Name: "g", Policy: build.BasicPolicy, Devices: entries}); err != nil {
		return err
	}
	env.Hold(ctx, "a group without pods", glance)
	env.Mark(ctx, "no pods yet")
	if err := env.CreatePods(ctx, handled("first", "g", entries...), handled("second", "g", entries...)); err != nil {
		return err
	}
	name := generated(ctx, env, "the claim is made", "g", "gpu")["gpu"]
	saying(ctx, env, "the pods know it", "gpu", "first", "second")
	env.Hold(ctx, "more claims are made", glance)
	env.Mark(ctx, "made")
	if err := ctx.Err(); err != nil || name == "" {
		return err
	}
	g := group(ctx, env, "g")
	for i, c := range []string{name, "named"} {
		if err := allocate(ctx, env, c, env.Namespace(), fmt.Sprintf("dev-%d", i), g); err != nil {
			return err
		}
	}
	if err := placeAll(ctx, env, "first", "second"); err != nil {
		return err
	}
	if err := env.FinishPods(ctx, corev1.PodSucceeded, "first"); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, "first", "second"); err != nil {
		return err
	}
	env.Hold(ctx, "claims of a group without members", glance)
	env.Mark(ctx, "no members")
	if err := env.CreatePods(ctx, handled("third", "g", entries...)); err != nil {
		return err
	}
	saying(ctx, env, "the third pod knows it", "gpu", "third")
	if err := placeAll(ctx, env, "third"); err != nil {
		return err
	}
	if err := env.DeleteGang(ctx, "g"); err != nil {
		return err
	}
	env.Hold(ctx, "a group that is to go has a member", glance)
	env.Mark(ctx, "one member left")
	if err := kit.Vacate(ctx, env, "third"); err != nil {
		return err
	}
	env.Await(ctx, "the claims are given back", soon, kit.All(claimsGone(name), released("named")))
	env.Mark(ctx, "given back")
	return ctx.Err()
}

func judgeLifecycle(v *history.View) []suites.Finding {
	return []suites.Finding{
		judgeOneClaim(v), judgeMembersShare(v), judgeOwnedByGroup(v), judgeNoPodsYet(v),
		judgeStays(v, "DRA-048", "no members", "after all members were deleted"),
		judgeStays(v, "DRA-042", "one member left", "while the group is being deleted and a member runs"),
		judgeClaimDeleted(v), judgeNamedReleased(v),
	}
}

// groupClaims are the claims that the group controls, all of them ever.
func groupClaims(v *history.View, gang string) []*history.Claim {
	if g := v.Gang(gang); g != nil {
		return v.ClaimsOf(g.UID)
	}
	return nil
}

func judgeOneClaim(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-004")
	at := c.Mark("made")
	g := v.Gang("g")
	c.Premise(g != nil, nil, "the group was seen")
	mine, says := groupClaims(v, "g"), ""
	if g != nil {
		says = g.GeneratedAt(at, "gpu")
	}
	return c.About(at, objects(mine)...).Holds(len(mine) == 1 && says == mine[0].Name && says != "",
		"%d claims were made for the group's template entry, and its status names %q; expected one, named there", len(mine), says)
}

func judgeMembersShare(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-005")
	at := c.Mark("made")
	// A member that came later may not have been told yet where the record ends.
	var members []*history.Pod
	for _, p := range v.Members("g") {
		if p.ActiveAt(at) {
			members = append(members, p)
		}
	}
	c.Premise(len(members) >= 2, nil, "the group has members")
	g, own := v.Gang("g"), 0
	agree := g != nil && g.GeneratedAt(at, "gpu") != ""
	for _, p := range members {
		own += len(v.ClaimsOf(p.UID))
		agree = agree && p.GeneratedFor("gpu") == g.GeneratedAt(at, "gpu")
	}
	return c.About(at).Holds(agree && own == 0, "the members' status names the group's claim: %t; claims of their own: %d; expected none", agree, own)
}

func judgeOwnedByGroup(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-035")
	at := c.Mark("made")
	g := v.Gang("g")
	name := ""
	if g != nil {
		name = g.GeneratedAt(at, "gpu")
	}
	c.Premise(name != "", nil, "a claim was made")
	made := v.Claim(name)
	owner := ""
	if made != nil {
		owner = made.Owner
	}
	return c.About(at, "resourceclaim "+name).Holds(g != nil && owner == g.UID, "the claim made for the group is controlled by it: %t", g != nil && owner == g.UID)
}

func judgeNoPodsYet(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-036")
	at := c.Mark("no pods yet")
	made := 0
	for _, one := range groupClaims(v, "g") {
		if !one.Created.After(at) {
			made++
		}
	}
	return c.About(at).Saw(fmt.Sprintf("%d made", made), "claims made for a group before its first pod exists")
}

// judgeStays asks whether both claims hold what they held, for the group, at a mark.
func judgeStays(v *history.View, id, mark, when string) suites.Finding {
	c := kit.For(v, id)
	at := c.Mark(mark)
	g := v.Gang("g")
	c.Premise(g != nil && len(groupClaims(v, "g")) > 0, nil, "the group has a claim")
	var lost []*history.Claim
	for _, one := range append(groupClaims(v, "g"), exists(c, v, "named")) {
		if one == nil {
			continue
		}
		c.Premise(len(one.Allocated) > 0, nil, "claim %s was allocated", one.Name)
		if len(held(one, at)) == 0 || !forGroup(v, one, "g", at) || len(history.Between(one.Allocated, one.Created, at)) > 1 {
			lost = append(lost, one)
		}
	}
	return c.About(at, objects(lost)...).Holds(len(lost) == 0, "%s, %d of the group's claims no longer hold what they held for it; expected none", when, len(lost))
}

func judgeClaimDeleted(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-013")
	at := c.Mark("given back")
	mine := groupClaims(v, "g")
	c.Premise(len(mine) > 0, nil, "a claim was made for the group")
	g := v.Gang("g")
	c.Premise(g != nil && !g.Gone.IsZero(), nil, "the group is gone")
	left := 0
	for _, one := range mine {
		if one.Gone.IsZero() || one.Gone.After(at) {
			left++
		}
	}
	return c.About(at, objects(mine)...).Holds(left == 0, "%d claims made for a group that is gone are left after %s; expected none", left, soon)
}

func judgeNamedReleased(v *history.View) suites.Finding {
	c := kit.For(v, "DRA-014")
	at := c.Mark("given back")
	g := v.Gang("g")
	c.Premise(g != nil && !g.Gone.IsZero(), nil, "the group is gone")
	one := exists(c, v, "named")
	c.Premise(one != nil && len(one.Allocated) > 0, nil, "it was allocated")
	ok := one != nil && len(one.ReservedAt(at)) == 0 && len(held(one, at)) == 0 && one.AliveAt(at)
	return c.About(at, "resourceclaim named").Holds(ok, "a claim that only a group that is gone used is reserved for %s and holds %s; expected neither, and the claim to exist",
		list(who(one, at)), list(held(one, at)))
}
