package measure

import (
	"cmp"
	"slices"
)

// Fit is how much a scheduler placed of waves that are each known to fit to the last piece. How long it took is no part of
// it: it is read off where each wave stood best.
type Fit struct {
	// Waves in order; those that were planned and never came are among them, with nothing placed.
	Waves []Wave `json:"waves"`
	// Score is the mean of Placed/Optimum over the planned waves: 1 where every one of them was placed whole.
	Score float64 `json:"score"`
}

// Wave is one of them, in counted amounts of the resource.
type Wave struct {
	// Placed is the most that the wave's pods held to some use at one time (see Capacity.Useful), Optimum what all of them
	// together ask for.
	Placed  int64 `json:"placed"`
	Optimum int64 `json:"optimum"`
}

// fit is nil where no optimum is known.
func fit(t *Tape, resource string, optima []int64) *Fit {
	if len(optima) == 0 {
		return nil
	}
	out, windows := &Fit{}, t.windows()
	for i, optimum := range optima {
		w := Wave{Optimum: optimum}
		if i < len(windows) {
			w.Placed = mostUseful(t, resource, windows[i])
		}
		if optimum > 0 {
			out.Score += float64(w.Placed) / float64(optimum)
		}
		out.Waves = append(out.Waves, w)
	}
	out.Score /= float64(len(optima))
	return out
}

// mostUseful is the greatest amount that the pods created in a window held to some use at one time.
func mostUseful(t *Tape, resource string, w window) (most int64) {
	steps := podShifts(t, resource)
	steps = slices.DeleteFunc(steps, func(s shift) bool { return s.useful == 0 || !w.has(s.pod.Created) })
	slices.SortStableFunc(steps, func(a, b shift) int { return cmp.Compare(a.at.Mono, b.at.Mono) })
	now := int64(0)
	for i, s := range steps {
		now += s.useful
		// What happens at one time happens at once.
		if i+1 == len(steps) || steps[i+1].at.Mono > s.at.Mono {
			most = max(most, now)
		}
	}
	return most
}
