package premise

import (
	"errors"
	"fmt"

	"muster/suites/history"
	"muster/suites/oracle"
)

// ErrUnmodelled says that a pod asks for something the oracle cannot judge (volumes, device claims, namespace selectors),
// so that "it would have fitted" cannot be proven.
var ErrUnmodelled = errors.New("the oracle does not model all that the pods ask for")

// ErrNoState says that nothing is recorded at the stamp asked about.
var ErrNoState = errors.New("the record holds no state there")

// Room is the greatest number of the given pods (their specs when created, treated as not yet placed) that could be
// placed at the same time in the state in force at the stamp, with every other pod where it is.
func Room(v *history.View, at history.Stamp, pods []*history.Pod) (int, error) {
	s, err := stateAt(v, at)
	if err != nil {
		return 0, err
	}
	return RoomIn(s, pods)
}

// Fits reports whether all the given pods could be placed at the same time at the stamp.
func Fits(v *history.View, at history.Stamp, pods []*history.Pod) (bool, error) {
	s, err := stateAt(v, at)
	if err != nil {
		return false, err
	}
	return FeasibleIn(s, pods, len(pods))
}

// ShortByOne reports whether exactly quorum-1 of the pods could be placed at the same time at the stamp: the gang fails
// for want of one place and for no other reason.
func ShortByOne(v *history.View, at history.Stamp, pods []*history.Pod, quorum int) (bool, error) {
	n, err := Room(v, at, pods)
	return err == nil && n == quorum-1, err
}

// WouldFitAlone reports whether the pod, taken by itself and as if it belonged to no group, could be placed at the stamp.
func WouldFitAlone(v *history.View, at history.Stamp, pod *history.Pod) (bool, error) {
	return Fits(v, at, []*history.Pod{pod})
}

// NeverRoom reports whether, in every state from one stamp to the other (both included), fewer than n of the pods could
// be placed. A zero "to" is the end of the record. What the oracle does not model can only make room smaller, so it does
// not stand in the way of this proof.
func NeverRoom(v *history.View, from, to history.Stamp, pods []*history.Pod, n int) (bool, error) {
	found, err := firstRoom(v, from, to, pods, n)
	return err == nil && found.IsZero(), err
}

// FirstFeasible is the first place, not before from, at which quorum of the pods could be placed at the same time; zero
// where there was none up to the end of the record.
func FirstFeasible(v *history.View, pods []*history.Pod, quorum int, from history.Stamp) (history.Stamp, error) {
	if err := Modelled(pods); err != nil {
		return history.Stamp{}, err
	}
	return firstRoom(v, from, history.Stamp{}, pods, quorum)
}

// firstRoom is the first place in [from, to] at which n of the pods fit as far as the oracle sees.
func firstRoom(v *history.View, from, to history.Stamp, pods []*history.Pod, n int) (history.Stamp, error) {
	if from.IsZero() {
		return history.Stamp{}, fmt.Errorf("asking about room from a point that was never reached: %w", ErrNoState)
	}
	s, err := stateAt(v, from)
	if err != nil {
		return history.Stamp{}, err
	}
	var seen Watcher
	seen.Changed(s)
	if ok, err := mayFit(s, pods, n); err != nil || ok {
		return from, err
	}
	var found history.Stamp
	v.Replay(func(s *history.State, at history.Stamp) bool {
		if !at.After(from) {
			return true
		}
		if !to.IsZero() && at.After(to) {
			return false
		}
		if !seen.See(s).Matters(pods) {
			return true
		}
		var ok bool
		if ok, err = mayFit(s, pods, n); ok {
			found = at
		}
		return err == nil && !ok
	})
	return found, err
}

func stateAt(v *history.View, at history.Stamp) (*history.State, error) {
	if at.IsZero() {
		return nil, fmt.Errorf("asking about a point that was never reached: %w", ErrNoState)
	}
	s := v.StateAt(at)
	if s == nil {
		return nil, fmt.Errorf("at event %d: %w", at.Seq, ErrNoState)
	}
	return s, nil
}

// RoomIn is Room in a state, as Replay hands it out.
func RoomIn(s *history.State, pods []*history.Pod) (int, error) {
	if err := Modelled(pods); err != nil {
		return 0, err
	}
	return question(s, pods).MaxPlaced()
}

// FeasibleIn reports whether at least n of the pods could be placed at the same time in a state.
func FeasibleIn(s *history.State, pods []*history.Pod, n int) (bool, error) {
	if err := Modelled(pods); err != nil {
		return false, err
	}
	return mayFit(s, pods, n)
}

// ImpossibleIn reports whether fewer than n of the pods could be placed at the same time in a state, whatever the oracle
// does not model.
func ImpossibleIn(s *history.State, pods []*history.Pod, n int) (bool, error) {
	ok, err := mayFit(s, pods, n)
	return err == nil && !ok, err
}

func mayFit(s *history.State, pods []*history.Pod, n int) (bool, error) {
	return question(s, pods).Feasible(n)
}

// Modelled is an error (ErrUnmodelled) where the oracle's answer for the pods is only an upper bound.
func Modelled(pods []*history.Pod) error {
	for _, p := range pods {
		if missing := oracle.Unmodelled(p.First); len(missing) > 0 {
			return fmt.Errorf("pod %s/%s has %v: %w", p.Namespace, p.Name, missing, ErrUnmodelled)
		}
	}
	return nil
}
