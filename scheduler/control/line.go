package control

import "container/heap"

// line is jobs in the order of their rounds' decisions, and within a round as they came. A job without a round has the place
// of the latest decision that a job was added for before it. Since places only grow, nobody is overtaken for ever.
type line struct {
	places
	latest, arrivals int64
}

// add puts a job into its place.
func (l *line) add(j *job) {
	if j.round != nil {
		l.latest = max(l.latest, j.round.turn)
	}
	at := l.latest
	if j.round != nil {
		at = j.round.turn
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

// places is a heap.
type places []place

func (p places) Len() int { return len(p) }

func (p places) Less(i, k int) bool {
	if p[i].turn != p[k].turn {
		return p[i].turn < p[k].turn
	}
	return p[i].arrival < p[k].arrival
}

func (p places) Swap(i, k int) { p[i], p[k] = p[k], p[i] }

func (p *places) Push(x any) { *p = append(*p, x.(place)) }

func (p *places) Pop() any {
	old := *p
	last := old[len(old)-1]
	old[len(old)-1] = place{}
	*p = old[:len(old)-1]
	return last
}
