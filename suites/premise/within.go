package premise

import (
	"slices"

	"muster/suites/history"
	"muster/suites/oracle"
)

// RoomWithin is the greatest number of the given pods that could be placed at the same time at the stamp on nodes that
// share one value of a label: any value, or the one named. Constraints of the pods' own groups are not looked at; an
// empty key demands nothing, which is how to ask what a constraint costs.
func RoomWithin(v *history.View, at history.Stamp, pods []*history.Pod, key, value string) (int, error) {
	s, err := stateAt(v, at)
	if err != nil {
		return 0, err
	}
	if err := Modelled(pods); err != nil {
		return 0, err
	}
	q := question(s, pods)
	q.TopologyKey, q.Domain = key, value
	return q.MaxPlaced()
}

// Domain is one topology domain as a choice: how many of some pods it could take, and how many slots for one of them
// it has in all that are free.
type Domain struct {
	Value string
	// Fits of the pods asked about; Free is how many copies of the first of them it could take.
	Fits, Free int
}

// Domains are the domains of a label at the stamp, by value, with what each could take of the pods. slots bounds Free:
// a question about that many copies is put.
func Domains(v *history.View, at history.Stamp, pods []*history.Pod, key string, slots int) ([]Domain, error) {
	s, err := stateAt(v, at)
	if err != nil || len(pods) == 0 {
		return nil, err
	}
	if err := Modelled(pods); err != nil {
		return nil, err
	}
	var values []string
	for _, n := range s.Nodes {
		if value, ok := n.Labels[key]; ok && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	var out []Domain
	for _, value := range values {
		d := Domain{Value: value}
		q := question(s, pods)
		q.TopologyKey, q.Domain = key, value
		if d.Fits, err = q.MaxPlaced(); err != nil {
			return nil, err
		}
		if d.Free, err = copies(q, slots).MaxPlaced(); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// copies asks about n copies of the first pod instead.
func copies(q oracle.Question, n int) oracle.Question {
	first := q.Pods[0]
	q.Pods = nil
	for range n {
		q.Pods = append(q.Pods, first)
	}
	return q
}
