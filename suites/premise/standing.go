package premise

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
)

// Standing follows the states of one replay and knows which pods stand on which node, so that whoever asks about one node
// need not look at every pod of the cluster. The zero value is ready.
type Standing struct {
	on    map[string]map[string]*history.PodState // by node and UID
	where map[string]string                       // node by UID
	pace  pace
}

// pace is where the state seen last stands in its replay.
type pace struct {
	walk *history.Delta
	step int
}

// next reports whether the state follows the one seen last, so that its Delta says all that has changed, and takes note of it.
func (p *pace) next(s *history.State) bool {
	d := s.Delta
	if d == nil {
		p.walk = nil
		return false
	}
	follows := p.walk != nil && d.Walk == p.walk && d.Step == p.step+1
	p.walk, p.step = d.Walk, d.Step
	return follows
}

// See takes the next state and calls moved for every node on which other pods stand than before, or the same ones in
// another form. Who sees every state of one replay pays for what changed, and else for the whole cluster each time.
func (st *Standing) See(s *history.State, moved func(node string)) {
	if st.pace.next(s) {
		for _, uid := range s.Delta.Pods {
			st.take(uid, s.Pods[uid], moved)
		}
		return
	}
	if st.on == nil {
		st.on, st.where = map[string]map[string]*history.PodState{}, map[string]string{}
	}
	for _, uid := range slices.Collect(maps.Keys(st.where)) {
		if s.Pods[uid] == nil {
			st.take(uid, nil, moved)
		}
	}
	for uid, p := range s.Pods {
		st.take(uid, p, moved)
	}
}

// take remembers where a pod (nil: it does not exist any more) stands.
func (st *Standing) take(uid string, p *history.PodState, moved func(node string)) {
	was, now := st.where[uid], ""
	if p != nil {
		now = p.NodeName
	}
	if was == now && (now == "" || st.on[now][uid].Now == p.Now) {
		return
	}
	if was != "" {
		delete(st.on[was], uid)
		delete(st.where, uid)
		if was != now {
			moved(was)
		}
	}
	if now != "" {
		if st.on[now] == nil {
			st.on[now] = map[string]*history.PodState{}
		}
		st.on[now][uid], st.where[uid] = p, now
		moved(now)
	}
}

// On are the forms of the pods that stand on a node, in order of their UIDs.
func (st *Standing) On(node string) []*corev1.Pod {
	on := st.on[node]
	out := make([]*corev1.Pod, 0, len(on))
	for _, uid := range slices.Sorted(maps.Keys(on)) {
		out = append(out, on[uid].Now)
	}
	return out
}
