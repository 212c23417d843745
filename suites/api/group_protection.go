package api

import (
	"context"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-group-protection", Profile: "api",
		Summary:      "PodGroups are deleted: one without members, one whose member is deleted later, one whose member ends later.",
		Requirements: []string{"API-037", "API-038"},
		Weight:       6,
		Drive:        driveProtection,
		Judge:        judgeProtection,
	})
}

// soon is generous for a controller that reacts to an event; nothing is measured by it.
const soon = 30 * time.Second

// kept are groups with one member each, named like it: the member of the first is deleted, that of the second succeeds.
var kept = []string{"deleted-later", "done-later"}

var protection = []answer.Row{
	answer.Given("API-038", "an empty group", group("empty", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Given("API-037", "a group", group(kept[0], `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Given("API-037", "its member", answer.Create(pods, member(kept[0], `{"podGroupName":"`+kept[0]+`"}`))),
	answer.Given("API-037", "another group", group(kept[1], `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Given("API-037", "its member too", answer.Create(pods, member(kept[1], `{"podGroupName":"`+kept[1]+`"}`))),
}

var deletions = []answer.Row{
	answer.Given("API-038", "it is deleted", answer.Delete(podGroups, "empty")),
	answer.Given("API-037", "it is deleted", answer.Delete(podGroups, kept[0])),
	answer.Given("API-037", "the other is deleted", answer.Delete(podGroups, kept[1])),
}

var releases = []answer.Row{
	answer.Given("API-037", "the member is deleted", answer.Delete(pods, kept[0])),
	answer.Given("API-037", "the other member succeeds", answer.Patch(pods, kept[1], `{"status":{"phase":"Succeeded"}}`, "status")),
}

func driveProtection(ctx context.Context, env suites.Env) error {
	if err := answer.Drive(ctx, env, protection); err != nil {
		return err
	}
	// The controller decides by its own informers; it has to know the members before the groups go.
	env.Await(ctx, "the members are seen", soon, kit.PodsSeen(kept...))
	env.Hold(ctx, "the members are known", glance)
	if err := answer.Drive(ctx, env, deletions); err != nil {
		return err
	}
	env.Await(ctx, "the empty group is gone", soon, kit.GangGone("empty"))
	env.Mark(ctx, "deleted")
	env.Hold(ctx, "the kept groups stay", glance)
	env.Mark(ctx, "watched")
	if err := answer.Drive(ctx, env, releases); err != nil {
		return err
	}
	env.Await(ctx, "the kept groups are gone", soon, kit.All(kit.GangGone(kept[0]), kit.GangGone(kept[1])))
	env.Mark(ctx, "released")
	return ctx.Err()
}

func judgeProtection(v *history.View) []suites.Finding {
	empty := kit.For(v, "API-038")
	answer.Premises(empty, v, "API-038", protection, deletions)
	at := empty.Mark("deleted")
	g := v.Gang("empty")
	gone := g != nil && !g.Gone.IsZero() && g.Gone.Before(at)

	held := kit.For(v, "API-037")
	answer.Premises(held, v, "API-037", protection, deletions, releases)
	watched, released := held.Mark("watched"), held.Mark("released")
	early, late := []string{}, []string{}
	for _, name := range kept {
		g := v.Gang(name)
		held.Premise(g != nil, nil, "group %s was seen", name)
		if g == nil {
			continue
		}
		if !g.Gone.IsZero() && !g.Gone.After(watched) {
			early = append(early, name)
		}
		if g.Gone.IsZero() || g.Gone.After(released) {
			late = append(late, name)
		}
	}
	return []suites.Finding{
		empty.Holds(gone, "a deleted group without members is gone within %s: %t", soon, gone),
		held.Holds(len(early)+len(late) == 0, "deleted groups that went although their member had not ended: %q; that stayed %s after it had: %q", early, soon, late),
	}
}
