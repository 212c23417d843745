package check

import (
	"muster/suites/history"
	"muster/suites/premise"
)

// fitting is since when a unit could be placed.
type fitting struct {
	// since is the place from which on, up to the end of the view, it could be placed at every moment; zero if it cannot be
	// placed at the end. It never lies before the unit was complete.
	since history.Stamp
	err   error
}

// fittings are known for the units that were asked about.
type fittings struct {
	v     *history.View
	known map[*unit]*fitting
}

func newFittings(v *history.View) *fittings { return &fittings{v: v, known: map[*unit]*fitting{}} }

// of is the fitting of a unit.
func (f *fittings) of(u *unit) fitting {
	f.follow([]*unit{u})
	return *f.known[u]
}

// follow learns about all the units in one replay; asking about them one by one would take one each.
func (f *fittings) follow(units []*unit) {
	v, out := f.v, f.known
	var ahead []*unit
	for _, u := range units {
		if out[u] != nil {
			continue
		}
		out[u] = &fitting{err: premise.Modelled(u.pods)}
		if out[u].err == nil {
			ahead = append(ahead, u)
		}
	}
	if len(ahead) == 0 {
		return
	}
	asked := make(map[*unit]premise.Asked, len(ahead))
	var rooms premise.Rooms
	var room premise.Watcher
	v.Replay(func(s *history.State, at history.Stamp) bool {
		if at.After(v.Now()) {
			return false
		}
		moved := room.Changed(s)
		rooms.See(s)
		for _, u := range ahead {
			f := out[u]
			if at.Before(u.complete) || f.err != nil {
				continue
			}
			a, before := asked[u]
			if !before {
				a = rooms.AskedOf(u.pods)
				asked[u] = a
			} else if !moved {
				continue
			}
			impossible, err := rooms.Impossible(a, u.need)
			switch {
			case err != nil:
				f.since, f.err = history.Stamp{}, err
			case impossible:
				f.since = history.Stamp{}
			case !before:
				f.since = u.complete
			case f.since.IsZero():
				f.since = at
			}
		}
		return true
	})
}
