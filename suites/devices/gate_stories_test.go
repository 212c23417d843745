package devices

import (
	"muster/suites"
	. "muster/suites/history/historytest"
)

const (
	noRestart   turn = "the controllers were not restarted"
	notAtWork   turn = "the controllers are not at work without the gate"
	joined      turn = "a new member is given the claim though the gate is off"
	lostOff     turn = "the reservation is lost while the gate is off"
	kept        turn = "a member cannot be deleted"
	nothingOn   turn = "a new member is given nothing when the gate is on again"
	anotherMade turn = "another claim is made when the gate is on again"
)

// switched tells what becomes of a group's claim while the gate is off and on again, with one turn for the worse.
func switched(t turn) *Builder {
	uses := []PodOption{UsesTemplate("gpu", "gpu"), For(byHand)}
	b := equipped(New().Nodes(1), fabric, alike(1)...).Gang("g", 1).Pod("stays", "g", uses...).Pod("leaves", "g", uses...)
	b.GangClaim("g", "gpu", "made").PodHasClaim("stays", "gpu", "made").PodHasClaim("leaves", "gpu", "made")
	b.DriverAllocate("made", "test/dev-0").Reserve("made", "gang:g").DriverBind("stays", "node-0").DriverBind("leaves", "node-0").Mark("in use")
	if t != noRestart {
		b.Break(suites.ControllerManager).Mend(suites.ControllerManager)
	}
	b.Pod("stuck", "g", uses...).Pod("alone", "", uses...)
	if t != notAtWork {
		b.PodClaim("alone", "gpu", "alone-gpu")
	}
	switch t {
	case joined:
		b.PodHasClaim("stuck", "gpu", "made")
	case ownMade:
		b.PodClaim("stuck", "gpu", "stuck-gpu")
	case lostOff:
		b.Unreserve("made").Deallocate("made")
	}
	b.Mark("off").Gone("leaves")
	if t != kept {
		b.Gone("stuck")
	}
	b.Mark("deleted").Break(suites.ControllerManager).Mend(suites.ControllerManager).Pod("later", "g", uses...)
	switch t {
	case nothingOn:
	case anotherMade:
		b.GangClaim("g", "gpu", "made-again").PodHasClaim("later", "gpu", "made-again")
	default:
		b.PodHasClaim("later", "gpu", "made")
	}
	return b.Mark("on again")
}

func gateStories() []story {
	var out []story
	for t, want := range map[turn]suites.Verdict{
		asItShould: pass, noRestart: unclear, notAtWork: unclear, joined: fail, ownMade: fail, lostOff: fail, kept: fail, nothingOn: fail, anotherMade: fail,
	} {
		out = append(out, story{"devices-gate-off-and-on", "gate: " + string(t), switched(t), verdicts{"DRA-015": want}})
	}
	return out
}
