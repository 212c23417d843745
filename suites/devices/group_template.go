package devices

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-group-template",
		Profile:      "devices",
		Summary:      "Two gangs have a claim made from one template; members of one are deleted and one comes later.",
		Requirements: []string{"DRA-020", "DRA-033", "DRA-012"},
		Needs:        needs(2),
		Weight:       14,
		Drive:        driveGroupTemplate,
		Judge:        judgeGroupTemplate,
	})
}

func driveGroupTemplate(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(3)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "link"); err != nil {
		return err
	}
	entry := made("link", "link")
	for _, g := range []string{"one", "two"} {
		if err := kit.CreateGang(ctx, env, build.Gang{Name: g, Quorum: 3, Devices: []build.DeviceClaim{entry}}, workers(3, g, entry)...); err != nil {
			return err
		}
	}
	if kit.AwaitBound(ctx, env, "one bound", "one", 3) {
		kit.AwaitBound(ctx, env, "two bound", "two", 3)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, "one-0", "one-1", "one-2"); err != nil {
		return err
	}
	env.Hold(ctx, "the claim of a gang without members stays", glance)
	if err := env.CreatePods(ctx, worker("later", "one", entry)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "later bound", 3, kit.PodsBound("later"))
	return ctx.Err()
}

func judgeGroupTemplate(v *history.View) []suites.Finding {
	shared := kit.For(v, "DRA-020")
	at, pods := standing(shared, v, "one", "one bound")
	used := claimsOf(v, pods)
	ok := len(pods) == 3 && len(used) == 1 && len(held(used[0], at)) == 1 && forGroup(v, used[0], "one", at)

	apart := kit.For(v, "DRA-033")
	twoAt, twos := bound(apart, v, "two", "two bound", 3)
	apart.Mark("one bound")
	theirs := claimsOf(v, twos)
	own := len(used) == 1 && len(theirs) == 1 && used[0] != theirs[0] && len(held(theirs[0], twoAt)) == 1 &&
		held(theirs[0], twoAt)[0] != held(used[0], twoAt)[0]

	same := kit.For(v, "DRA-012")
	laterAt := same.Mark("later bound")
	same.Premise(ok, nil, "the gang shared one claim")
	later := v.Pod("later")
	same.Premise(later != nil, nil, "a member came later")
	kept := later != nil && !later.Bound.IsZero() && !later.Bound.After(laterAt) && len(used) == 1 &&
		len(history.Between(used[0].Allocated, at, laterAt)) == 1 && used[0].AliveAt(laterAt) && forGroup(v, used[0], "one", laterAt)
	if later != nil && len(used) == 1 {
		kept = kept && later.GeneratedFor("link") == used[0].Name
	}
	return []suites.Finding{
		shared.About(at, objects(used)...).Holds(ok, "%d of 3 members are bound and use %d claims; expected all, and one that holds one device for the group alone",
			len(pods), len(used)),
		apart.About(twoAt, objects(append(theirs, used...))...).Holds(own, "the gangs' claims hold %s and %s; expected one device each, and not the same",
			list(heldBy(used, twoAt)), list(heldBy(theirs, twoAt))),
		same.About(laterAt, objects(used)...).Holds(kept, "a member that came after all others were deleted: bound %t; the claim holds %s; expected it bound, with what the gang held before",
			later != nil && !later.Bound.IsZero(), list(heldBy(used, laterAt))),
	}
}

// heldBy are the devices of several claims.
func heldBy(list []*history.Claim, at history.Stamp) []string {
	var out []string
	for _, c := range list {
		out = append(out, held(c, at)...)
	}
	return out
}
