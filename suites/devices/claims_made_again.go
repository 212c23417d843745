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
		Name:         "devices-claims-made-again",
		Profile:      "devices",
		Summary:      "One of two claims made for a group is deleted before anybody uses it.",
		Requirements: []string{"DRA-007", "DRA-045"},
		Needs:        needs(1),
		Weight:       10,
		Drive:        driveClaimsMadeAgain,
		Judge:        judgeClaimsMadeAgain,
	})
}

func driveClaimsMadeAgain(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(2)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	entries := []build.DeviceClaim{made("left", "gpu"), made("right", "gpu")}
	if err := env.CreateGang(ctx, build.Gang{Name: "g", Policy: build.BasicPolicy, Devices: entries}); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, handled("p", "g", entries...)); err != nil {
		return err
	}
	names := generated(ctx, env, "two claims are made", "g", "left", "right")
	env.Mark(ctx, "made")
	if err := ctx.Err(); err != nil || names["left"] == "" || names["right"] == "" {
		return err
	}
	if err := env.Delete(ctx, claims, names["left"]); err != nil {
		return err
	}
	renamed := func(v *history.View) string {
		g := v.Gang("g")
		if g == nil {
			return ""
		}
		if now := g.GeneratedAt(v.Now(), "left"); now != names["left"] {
			return now
		}
		return ""
	}
	env.Await(ctx, "the status names another claim", soon, func(v *history.View) bool { return renamed(v) != "" })
	env.Await(ctx, "the claim is made again", glance, func(v *history.View) bool { return renamed(v) != "" && v.Claim(renamed(v)) != nil })
	env.Hold(ctx, "the status settles", glance)
	env.Mark(ctx, "made again")
	if err := ctx.Err(); err != nil {
		return err
	}
	// A controller that keeps rewriting the status would go on for as long as the group exists, at everybody's cost.
	if err := env.DeletePods(ctx, "p"); err != nil {
		return err
	}
	return env.DeleteGang(ctx, "g")
}

func judgeClaimsMadeAgain(v *history.View) []suites.Finding {
	again := kit.For(v, "DRA-007")
	from, at := again.Mark("made"), again.Mark("made again")
	g := v.Gang("g")
	again.Premise(g != nil && g.GeneratedAt(from, "left") != "" && g.GeneratedAt(from, "right") != "", nil, "both claims were made")

	both := kit.For(v, "DRA-045")
	bothFrom, bothAt := both.Mark("made"), both.Mark("made again")
	both.Premise(g != nil && g.GeneratedAt(bothFrom, "left") != "" && g.GeneratedAt(bothFrom, "right") != "", nil, "both claims were made")
	if g == nil {
		return []suites.Finding{again.Holds(false, "no group"), both.Holds(false, "no group")}
	}
	was, now := v.Claim(g.GeneratedAt(from, "left")), v.ClaimsOf(g.UID)
	again.Premise(was != nil && !was.Deleting.IsZero(), nil, "one of them was deleted")
	both.Premise(was != nil && !was.Deleting.IsZero(), nil, "one of them was deleted")
	living := 0
	var last *history.Claim
	for _, c := range now {
		if c.AliveAt(at) {
			living++
			last = c
		}
	}
	rewritten := len(history.Between(g.Generated, bothFrom, bothAt)) - 1
	listed := func(entry string) bool {
		c := v.Claim(g.GeneratedAt(bothAt, entry))
		return c != nil && c.AliveAt(bothAt)
	}
	return []suites.Finding{
		again.About(at, objects(now)...).Holds(living == 2 && last != nil && was != nil && last.Created.After(was.Deleting),
			"%d claims of the group exist after one of two was deleted; expected two, one of them new", living),
		both.About(bothAt, objects(now)...).Holds(listed("left") && listed("right"),
			"the group's status names a claim that exists for the entry left: %t, right: %t; expected both (its list was rewritten %d times after one claim was deleted)",
			listed("left"), listed("right"), rewritten),
	}
}
