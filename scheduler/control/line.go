package control

import (
	"cmp"
	"container/heap"
)

// line is jobs in the order of their rounds' decisions, and within a round as they came. A job without a round has the place
// of the latest decision that a job was added for before it. Since places only grow, nobody is overtaken for ever.
type line struct {
	places           ordered[place]
	latest, arrivals int64
}

// add puts a job into its place.
func (l *line) add(j *job) {
	at := l.latest
	if j.round != nil {
		at = j.round.turn
		l.latest = max(l.latest, at)
	}
	l.arrivals++
	heap.Push(&l.places, place{j, at, l.arrivals})
}

// next takes the first job out. There has to be one.
func (l *line) next() *job { return heap.Pop(&l.places).(place).job }

// place of a job.
type place struct {
	job           *job
	turn, arrival int64
}

func (p place) Before(q place) bool {
	return cmp.Or(cmp.Compare(p.turn, q.turn), cmp.Compare(p.arrival, q.arrival)) < 0
}
