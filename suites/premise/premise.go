// Package premise proves, from recorded state and with suites/oracle, the assumptions scenarios rest on: "short by
// exactly one, although a plain pod of the shape fits". An error means that it cannot be decided from this record;
// the judge then says Inconclusive.
package premise

import (
	"errors"

	"muster/suites/history"
)

// Room is the greatest number of the given pods (their specs when created, treated as not yet placed) that could be
// placed at the same time in the state in force at the stamp, with every other pod where it is.
func Room(v *history.View, at history.Stamp, pods []*history.Pod) (int, error) {
	return 0, errors.New("premise: not written yet")
}

// Fits reports whether all the given pods could be placed at the same time at the stamp.
func Fits(v *history.View, at history.Stamp, pods []*history.Pod) (bool, error) {
	n, err := Room(v, at, pods)
	return n == len(pods), err
}

// NeverRoom reports whether, in every state from one stamp to the other, fewer than n of the pods could be placed.
func NeverRoom(v *history.View, from, to history.Stamp, pods []*history.Pod, n int) (bool, error) {
	return false, errors.New("premise: not written yet")
}
