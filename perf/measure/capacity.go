package measure

import (
	"cmp"
	"slices"
	"time"

	"muster/suites/history"
)

// Capacity is how well a resource (GPUs, by default) was used over the run, as exact integrals over time. All ratios are
// 0…1; seconds are units × seconds (GPU-seconds).
type Capacity struct {
	Resource string `json:"resource"`
	// Available is the integral of what the nodes offered; Held of what bound pods held, also those being deleted;
	// Useful the part of Held that could run: plain pods, members of basic groups, and of gangs that stood at their quorum
	// or had met it.
	Available float64 `json:"available"`
	Held      float64 `json:"held"`
	Useful    float64 `json:"useful"`
	// AllocationRatio is Held/Available, Occupancy Useful/Available.
	AllocationRatio float64 `json:"allocationRatio"`
	Occupancy       float64 `json:"occupancy"`
	// Wanted is the integral of the smaller of what was offered and what the pods that existed asked for: the most that any
	// scheduler could have used if everything fitted like water. OfWanted is Useful/Wanted: how much, and how soon. What could
	// be placed at all is Fit.
	Wanted   float64 `json:"wanted"`
	OfWanted float64 `json:"ofWanted"`
	// Free is Available − Held on nodes that are not overcommitted. Stranded is the part of it in pieces too small for a
	// unit of Unit (for GPUs the largest node's whole amount): free on a node beyond the last whole unit. Fragmentation is
	// Stranded/Free.
	Unit          int64   `json:"unit"`
	Free          float64 `json:"free"`
	Stranded      float64 `json:"stranded"`
	Fragmentation float64 `json:"fragmentation"`
	// Peak is the greatest share of the offered amount that was held at one time.
	Peak float64 `json:"peak"`
}

// shift is a change of what Capacity integrates. Amounts are counted amounts.
type shift struct {
	at   history.Stamp
	node string
	pod  *history.Pod // whose use it is, where useful changes
	// has, held: on the node; useful, wanted: in the whole cluster.
	has, held, useful, wanted int64
}

// capacity integrates from one time to another. unit is in counted amounts; 0 is the largest node's.
func capacity(t *Tape, resource string, unit int64, from, to time.Duration) Capacity {
	steps := append(nodeShifts(t.View, resource), podShifts(t, resource)...)
	slices.SortStableFunc(steps, func(a, b shift) int { return cmp.Compare(a.at.Mono, b.at.Mono) })
	if unit == 0 {
		unit = largestNode(t.View, resource)
	}
	s := sweep{nodes: map[string]*[2]int64{}, unit: unit, from: from, to: to, now: from}
	for _, step := range steps {
		s.until(step.at.Mono)
		s.take(step)
	}
	s.until(to)
	u := unitOf(resource)
	return Capacity{
		Resource: resource, Available: s.has.seconds(u), Held: s.held.seconds(u), Useful: s.useful.seconds(u),
		AllocationRatio: s.held.over(&s.has), Occupancy: s.useful.over(&s.has),
		Wanted: s.wanted.seconds(u), OfWanted: s.useful.over(&s.wanted),
		Unit: unit, Free: s.free.seconds(u), Stranded: s.stranded.seconds(u), Fragmentation: s.stranded.over(&s.free),
		Peak: s.peak,
	}
}

// sweep walks the shifts in order of time and keeps the sums, so that each costs the same however large the cluster is.
type sweep struct {
	nodes                                     map[string]*[2]int64 // has, held
	unit                                      int64
	from, to, now                             time.Duration
	sumHas, sumHeld, sumUseful, sumWanted     int64
	sumFree, sumStranded                      int64
	has, held, useful, wanted, free, stranded integral
	peak                                      float64
}

// until takes the present sums to hold until a time.
func (s *sweep) until(at time.Duration) {
	d := min(max(at, s.from), s.to) - s.now
	if d <= 0 {
		return
	}
	s.now += d
	s.has.add(s.sumHas, d)
	s.held.add(s.sumHeld, d)
	s.useful.add(s.sumUseful, d)
	s.wanted.add(min(s.sumWanted, s.sumHas), d)
	s.free.add(s.sumFree, d)
	s.stranded.add(s.sumStranded, d)
	if s.sumHas > 0 {
		s.peak = max(s.peak, float64(s.sumHeld)/float64(s.sumHas))
	}
}

func (s *sweep) take(step shift) {
	s.sumUseful += step.useful
	s.sumWanted += step.wanted
	if step.has == 0 && step.held == 0 {
		return
	}
	n := s.nodes[step.node]
	if n == nil {
		n = new([2]int64)
		s.nodes[step.node] = n
	}
	s.count(n, -1)
	n[0] += step.has
	n[1] += step.held
	s.count(n, +1)
}

func (s *sweep) count(n *[2]int64, sign int64) {
	s.sumHas += sign * n[0]
	s.sumHeld += sign * n[1]
	free := max(n[0]-n[1], 0)
	s.sumFree += sign * free
	if s.unit > 0 {
		s.sumStranded += sign * (free % s.unit)
	}
}
