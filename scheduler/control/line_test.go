package control

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The binds of a gang whose claims are written come before the claims of who was decided later.
func TestBindsBeforeTheClaimsOfOthers(t *testing.T) {
	first, second := &round{turn: 1}, &round{turn: 2}
	var l line
	claims := []*job{{round: first, errand: &errand{}}, {round: second, errand: &errand{}}, {round: second, errand: &errand{}}}
	for _, j := range claims {
		l.add(j)
	}
	if l.next() != claims[0] {
		t.Fatal("the first claim is not the first to be written")
	}
	bind, revoked := &job{round: first}, &job{errand: &errand{}}
	l.add(bind)
	l.add(revoked)
	if got := []*job{l.next(), l.next(), l.next(), l.next()}; !slices.Equal(got, []*job{bind, claims[1], claims[2], revoked}) {
		t.Errorf("in the line %v", got)
	}
}

// Whatever is added and taken when: what comes out is the first by turn and arrival of what is there, each job once.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l line
		var model []place
		latest, n := int64(0), int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			if len(model) > 0 && rapid.Bool().Draw(t, "take") {
				i := 0
				for k, p := range model { // of those of a turn the first that came
					if p.turn < model[i].turn {
						i = k
					}
				}
				if l.next() != model[i].job {
					t.Fatal("not the first in the line")
				}
				model = slices.Delete(model, i, i+1)
				continue
			}
			j := &job{}
			if turn := rapid.Int64Range(0, 5).Draw(t, "turn"); turn > 0 {
				j.round = &round{turn: turn}
				latest = max(latest, turn)
			}
			at := latest
			if j.round != nil {
				at = j.round.turn
			}
			n++
			model = append(model, place{j, at, n})
			l.add(j)
		}
		if len(l.places) != len(model) {
			t.Fatalf("%d in the line, %d of the model", len(l.places), len(model))
		}
	})
}
