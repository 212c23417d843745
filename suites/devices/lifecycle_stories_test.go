package devices

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/kit"

	. "muster/suites/history/historytest"
)

// turn is one place at which the story of a group's claims can go another way than it should.
type turn string

const (
	asItShould  turn = ""
	early       turn = "made before the first pod"
	twoMade     turn = "two claims made"
	ownMade     turn = "a claim of a member's own"
	unowned     turn = "made and not owned by the group"
	lostEmpty   turn = "given back with the last member"
	lostLeaving turn = "given back while the group is going"
	leftMade    turn = "the claim made is left"
	leftNamed   turn = "the claim by name is still reserved"
)

// lifecycle tells what becomes of a group's two claims, with one turn for the worse.
func lifecycle(t turn) *Builder {
	b := equipped(New().Nodes(1), fabric, alike(2)...).Claim("named").Gang("g", 2)
	uses := []PodOption{UsesTemplate("gpu", "gpu"), UsesClaim("named", "named"), For(byHand)}
	make := func() {
		if t == unowned {
			b.Claim("made").GangHasClaim("g", "gpu", "made")
			return
		}
		b.GangClaim("g", "gpu", "made")
	}
	if t == early {
		make()
	}
	b.Mark("no pods yet").Pod("first", "g", uses...).Pod("second", "g", uses...)
	if t != early {
		make()
	}
	if t == twoMade {
		b.GangClaim("g", "more", "made-too")
	}
	if t == ownMade {
		b.PodClaim("first", "gpu", "first-gpu")
	} else {
		b.PodHasClaim("first", "gpu", "made")
	}
	b.PodHasClaim("second", "gpu", "made").Mark("made")
	give := func() {
		b.DriverAllocate("made", "test/dev-0").Reserve("made", "gang:g").DriverAllocate("named", "test/dev-1").Reserve("named", "gang:g")
	}
	take := func() { b.Unreserve("made").Deallocate("made").Unreserve("named").Deallocate("named") }
	give()
	b.DriverBind("first", "node-0").DriverBind("second", "node-0").Finish(corev1.PodSucceeded, "first").Gone("first", "second")
	if t == lostEmpty {
		take()
	}
	b.Mark("no members").Pod("third", "g", uses...).PodHasClaim("third", "gpu", "made").DriverBind("third", "node-0").GangDeleting("g")
	if t == lostLeaving {
		take()
	}
	b.Mark("one member left").Gone("third").GangGone("g")
	if t != leftMade {
		b.ClaimGone("made")
	}
	if t != leftNamed {
		b.Unreserve("named").Deallocate("named")
	}
	return b.Wait(soon).Mark("given back")
}

func lifecycleStories() []story {
	all := verdicts{"DRA-004": pass, "DRA-005": pass, "DRA-035": pass, "DRA-036": seen, "DRA-048": pass, "DRA-042": pass, "DRA-013": pass, "DRA-014": pass}
	out := []story{{"devices-lifecycle", "as it should be", lifecycle(asItShould), all}}
	for t, want := range map[turn]verdicts{
		early: {"DRA-004": pass, "DRA-036": seen}, twoMade: {"DRA-004": fail}, ownMade: {"DRA-005": fail}, unowned: {"DRA-004": fail, "DRA-035": fail},
		lostEmpty: {"DRA-048": fail}, lostLeaving: {"DRA-048": pass, "DRA-042": fail}, leftMade: {"DRA-013": fail, "DRA-014": pass}, leftNamed: {"DRA-013": pass, "DRA-014": fail},
	} {
		out = append(out, story{"devices-lifecycle", string(t), lifecycle(t), want})
	}
	return append(append(out, againStories()...), lateStories()...)
}

func againStories() []story {
	start := func() *Builder {
		return New().Gang("g", 1).Pod("p", "g", UsesTemplate("left", "gpu"), UsesTemplate("right", "gpu")).GangClaim("g", "left", "l-1").GangClaim("g", "right", "r-1").Mark("made")
	}
	lost := func() *Builder { return start().ClaimGone("l-1") }
	return []story{
		{"devices-claims-made-again", "made again", lost().GangClaim("g", "left", "l-2").Mark("made again"), verdicts{"DRA-007": pass, "DRA-045": pass}},
		{"devices-claims-made-again", "never made again", lost().Wait(time.Minute).Mark("made again"), verdicts{"DRA-007": fail, "DRA-045": fail}},
		{"devices-claims-made-again", "the other is forgotten", lost().GangClaim("g", "left", "l-2").GangHasClaim("g", "right", "").Mark("made again"), verdicts{"DRA-007": pass, "DRA-045": fail}},
		{"devices-claims-made-again", "nothing was lost", start().Mark("made again"), verdicts{"DRA-007": unclear, "DRA-045": unclear}},
	}
}

func lateStories() []story {
	begun := func() *Builder {
		return New().Pod("p", "late-group", UsesTemplate("gpu", "early")).Gang("waits", 1).Pod("q", "waits", UsesTemplate("gpu", "late"))
	}
	told := func(b *Builder, code int, list string) *Builder {
		return b.Try(kit.EventLook(0), history.VerbList, "events", "", history.Response{Code: code, Object: json.RawMessage(list)})
	}
	start := func() *Builder { return begun().Mark("missing") }
	return []story{
		{"devices-late-pieces", "told", told(begun(), 200, `{"items":[{"type":"Warning","reason":"Odd","regarding":{"kind":"PodGroup","name":"waits"}}]}`).Mark("missing"), verdicts{"DRA-055": seen}},
		{"devices-late-pieces", "not told", told(begun(), 200, `{"items":[]}`).Mark("missing"), verdicts{"DRA-055": seen}},
		{"devices-late-pieces", "events are refused", told(begun(), 403, `{}`).Mark("missing"), verdicts{"DRA-055": unclear}},
		{"devices-late-pieces", "events are not looked up", start(), verdicts{"DRA-055": unclear}},
		{"devices-late-pieces", "the claim was there", told(begun().GangClaim("waits", "gpu", "b"), 200, `{"items":[]}`).Mark("missing"), verdicts{"DRA-055": unclear}},
		{"devices-late-pieces", "all come", told(begun(), 200, `{"items":[]}`).Mark("missing").Gang("late-group", 1).GangClaim("late-group", "gpu", "a").PodHasClaim("p", "gpu", "a").
			GangClaim("waits", "gpu", "b").PodHasClaim("q", "gpu", "b").Mark("complete"), verdicts{"DRA-006": pass, "DRA-008": pass, "DRA-055": seen}},
		{"devices-late-pieces", "none comes", start().Gang("late-group", 1).Wait(time.Minute).Mark("complete"), verdicts{"DRA-006": fail, "DRA-008": fail}},
		{"devices-late-pieces", "claims of their own", start().Gang("late-group", 1).PodClaim("p", "gpu", "a").PodClaim("q", "gpu", "b").Mark("complete"), verdicts{"DRA-006": fail, "DRA-008": fail}},
		{"devices-late-pieces", "the group was early", New().Gang("late-group", 1).Pod("p", "late-group", UsesTemplate("gpu", "early")).Mark("missing").Mark("complete"), verdicts{"DRA-006": unclear}},
	}
}
