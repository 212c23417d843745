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
		Name:         "devices-too-few",
		Profile:      "devices",
		Summary:      "Each member of a gang claims a device, and there is one too few; then there is one more.",
		Requirements: []string{"DRA-019", "DRA-010", "DRA-032"},
		Needs:        needs(2),
		Weight:       32,
		Drive:        driveTooFew,
		Judge:        judgeTooFew,
	})
}

func driveTooFew(ctx context.Context, env suites.Env) error {
	on := env.Pool(mainPool).Nodes()
	if err := publish(ctx, env, onNode(env, on[0], alike(2)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 3}, workers(3, "g", made("gpu", "gpu"))...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one too few", "watched", 3); err != nil {
		return err
	}
	if err := add(ctx, env, onNode(env, on[1], alike(1)...)); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "one more", "g", 3)
	return ctx.Err()
}

func judgeTooFew(v *history.View) []suites.Finding {
	none := kit.For(v, "DRA-019")
	_, to := none.Watched("one too few", "watched", 3)
	members := v.Members("g")
	short(none, v, members, to)

	free := kit.For(v, "DRA-010")
	_, freeAt := free.Watched("one too few", "watched", 3)
	short(free, v, members, freeAt)
	free.Premise(len(v.BoundAt("g", freeAt)) == 0, nil, "no member is bound")
	holding := allocated(claimsOf(v, members), freeAt)

	awake := kit.For(v, "DRA-032")
	end, pods := standing(awake, v, "g", "one more")
	if !end.IsZero() {
		n := len(supply(v, end))
		awake.Premise(n >= len(members) && len(members) == 3, nil, "there are devices for all members in the end (%d for %d)", n, len(members))
	}
	return []suites.Finding{
		none.None("g", history.Stamp{}, to, "although there were devices for two of three"),
		free.About(freeAt, objects(holding)...).Holds(len(holding) == 0, "%d claims of a gang of which nothing is bound hold devices; expected none", len(holding)),
		awake.About(end, kit.Objects(pods)...).Holds(len(pods) == 3, "%d of 3 members are bound once there is a device for each", len(pods)),
	}
}

// short is the premise that up to the place fewer devices were published than there are members, each of which claims one.
func short(c *kit.Case, v *history.View, members []*history.Pod, at history.Stamp) {
	if at.IsZero() {
		return
	}
	n, claiming := len(supply(v, at)), 0
	for _, p := range members {
		if len(p.First.Spec.ResourceClaims) > 0 {
			claiming++
		}
	}
	c.Premise(n > 0 && claiming > n, nil, "more members claim a device than there are (%d claim one, there are %d)", claiming, n)
}
