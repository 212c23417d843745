package measure

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/oracle"
)

// Topology is how close together gangs were placed, measured against how close they could have been.
type Topology struct {
	// Key is the node label whose values are the domains.
	Key string `json:"key"`
	// Gangs of which the scheduler bound members, Looked how many of them were looked at (evenly chosen; the optimum is
	// expensive), Undecided how many of those the oracle could not answer for.
	Gangs     int `json:"gangs"`
	Looked    int `json:"looked"`
	Undecided int `json:"undecided,omitempty"`
	// Spanned and Best are the domains that the gangs' members stand in and the fewest that had room for them when the
	// first was bound, summed over the gangs looked at and decided. Best is exact for members that are equal and do not
	// repel one another, else a lower bound.
	Spanned int `json:"spanned"`
	Best    int `json:"best"`
	// Score is the mean over gangs of best/spanned: 1 is optimal. Optimal is how many gangs reached it.
	Score   float64 `json:"score"`
	Optimal int     `json:"optimal"`
	// Worst is the gang with the lowest score.
	Worst string `json:"worst,omitempty"`
}

// topology looks at up to most gangs. It is nil where no gang was bound.
func topology(t *Tape, key string, most int) *Topology {
	var gangs []*history.Gang
	for _, g := range t.View.Gangs {
		if first := firstOwn(membersOf(t.View, g)); !first.IsZero() && !t.background(first) {
			gangs = append(gangs, g)
		}
	}
	if len(gangs) == 0 {
		return nil
	}
	out := &Topology{Key: key, Gangs: len(gangs)}
	// In order of their first binds, so that the states asked for come in order and cost one walk.
	slices.SortStableFunc(gangs, func(a, b *history.Gang) int {
		return compareStamps(firstOwn(membersOf(t.View, a)), firstOwn(membersOf(t.View, b)))
	})
	worst, sum := 2.0, 0.0
	for _, g := range spread(gangs, most) {
		out.Looked++
		members := boundBySched(membersOf(t.View, g))
		spanned, ok := domainsOf(t.View, members, key)
		best, err := 1, error(nil)
		if spanned > 1 { // nothing is better than one domain
			best, err = fewestDomains(t.View.StateAt(firstOwn(members)), members, key)
		}
		if !ok || err != nil || best == 0 {
			out.Undecided++
			continue
		}
		// The optimum is of one place in time: members that came later may have found room that was not there yet.
		best = min(best, spanned)
		out.Spanned, out.Best = out.Spanned+spanned, out.Best+best
		score := float64(best) / float64(spanned)
		sum += score
		if best == spanned {
			out.Optimal++
		}
		if score < worst {
			worst, out.Worst = score, g.Namespace+"/"+g.Name
		}
	}
	if n := out.Looked - out.Undecided; n > 0 {
		out.Score = sum / float64(n)
	}
	return out
}

// spread chooses up to most of a list, evenly, first and last included.
func spread[T any](list []T, most int) []T {
	if most <= 0 || len(list) <= most {
		return list
	}
	if most == 1 {
		return list[:1]
	}
	out := make([]T, most)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(most-1)]
	}
	return out
}

func boundBySched(members []*history.Pod) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(members), func(p *history.Pod) bool { return !p.ByScheduler() })
}

// domainsOf counts the domains the pods' nodes lie in; ok is false where a node is unknown or carries no such label: such
// a node is in no domain.
func domainsOf(v *history.View, pods []*history.Pod, key string) (n int, ok bool) {
	seen := map[string]bool{}
	for _, p := range pods {
		node := v.Node(p.Node)
		if node == nil || len(node.Object) == 0 {
			return 0, false
		}
		form, ok := history.ValueAt(node.Object, p.Bound)
		if !ok {
			form = node.Object[0].Value // the watch of nodes lags that of pods
		}
		value, ok := form.Labels[key]
		if !ok {
			return 0, false
		}
		seen[value] = true
	}
	return len(seen), true
}

// fewestDomains is the smallest number of domains with room for all the pods: the domains that hold most first.
func fewestDomains(s *history.State, pods []*history.Pod, key string) (int, error) {
	mine := map[string]bool{}
	var specs []*corev1.Pod
	for _, p := range pods {
		mine[p.UID] = true
		specs = append(specs, p.First)
	}
	on := map[string][]*corev1.Pod{}
	for _, uid := range slices.Sorted(maps.Keys(s.Pods)) {
		if p := s.Pods[uid]; p.NodeName != "" && !mine[uid] {
			on[p.NodeName] = append(on[p.NodeName], p.Now)
		}
	}
	domains := map[string][]oracle.Node{}
	for _, name := range slices.Sorted(maps.Keys(s.Nodes)) {
		if value, ok := s.Nodes[name].Labels[key]; ok {
			domains[value] = append(domains[value], oracle.NodeOf(s.Nodes[name], on[name]...))
		}
	}
	var room []int
	for _, value := range slices.Sorted(maps.Keys(domains)) {
		n, err := oracle.MaxPlaced(domains[value], specs)
		if err != nil {
			return 0, fmt.Errorf("counting what fits domain %s=%s: %w", key, value, err)
		}
		if n >= len(specs) {
			return 1, nil
		}
		room = append(room, n)
	}
	slices.Sort(room)
	left := len(specs)
	for i, n := range slices.Backward(room) {
		if left -= n; left <= 0 {
			return len(room) - i, nil
		}
	}
	return 0, nil // they did not fit then: members came later
}
