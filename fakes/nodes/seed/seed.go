package seed

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"

	"muster/fakes/cluster/storage"
	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// Where the API server keeps them. Nodes have kept the name they had before they had this one.
const (
	nodeKey  = "minions/"
	sliceKey = "resourceslices/"
)

// Counts of what was stored.
type Counts struct {
	Nodes, Slices, Devices int
}

// Pools stores the nodes of valid pools and the slices of their devices. progress may be nil; it is told how many objects
// there are, never from two goroutines at once.
func Pools(ctx context.Context, store *storage.Store, progress func(Counts), pools ...nodes.Pool) (Counts, error) {
	if err := nodes.ValidateAll(pools...); err != nil {
		return Counts{}, fmt.Errorf("seeding nodes: %w", err)
	}
	s := &seeder{at: metav1.NewTime(time.Now()).Rfc3339Copy(), pools: pools}
	done := 0
	err := store.Write(ctx, s.next, func() {
		if done++; progress != nil && done%1000 == 0 {
			progress(Counts{Nodes: min(done, s.nodes()), Slices: max(0, done-s.nodes())})
		}
	})
	if err != nil {
		return Counts{}, fmt.Errorf("seeding nodes: %w", err)
	}
	return s.made, nil
}

// seeder yields objects in an order in which whatever belongs to something comes after it: all nodes, then all slices.
type seeder struct {
	at    metav1.Time
	pools []nodes.Pool
	made  Counts

	pool, index int // the next node
	nodeFields  map[int]owners
	sliceFields map[string]owners
	ids         [][]*corev1.Node // the nodes there are, by pool, for what belongs to them
	slices      []*resourcev1.ResourceSlice
	sliceOf     struct{ pool, index int }
}

func (s *seeder) nodes() int {
	n := 0
	for _, p := range s.pools {
		n += p.Count
	}
	return n
}

func (s *seeder) next() (storage.Item, bool, error) {
	for s.pool < len(s.pools) {
		if s.index < s.pools[s.pool].Count {
			n, err := s.node()
			return storage.Item{Key: nodeKey + n.Name, Object: n}, err == nil, err
		}
		s.pool, s.index = s.pool+1, 0
	}
	for len(s.slices) == 0 {
		more, err := s.nextSlices()
		if err != nil || !more {
			return storage.Item{}, false, err
		}
	}
	slice := s.slices[0]
	s.slices = s.slices[1:]
	if err := s.finish(slice); err != nil {
		return storage.Item{}, false, err
	}
	s.made.Slices++
	s.made.Devices += len(slice.Spec.Devices)
	return storage.Item{Key: sliceKey + slice.Name, Object: slice}, true, nil
}

// node is the next one.
func (s *seeder) node() (*corev1.Node, error) {
	p := s.pools[s.pool]
	n := nodes.Object(p, s.index)
	n.UID, n.CreationTimestamp = uuid.NewUUID(), s.at
	for i := range n.Status.Conditions {
		n.Status.Conditions[i].LastHeartbeatTime, n.Status.Conditions[i].LastTransitionTime = s.at, s.at
	}
	if s.index == 0 {
		fields, err := ownersOf(n)
		if err != nil {
			return n, fmt.Errorf("node %s: %w", n.Name, err)
		}
		if s.nodeFields == nil {
			s.nodeFields = map[int]owners{}
		}
		s.nodeFields[s.pool] = fields
	}
	n.ManagedFields = s.nodeFields[s.pool].of(s.at, "")
	if p.Devices.Model != "" {
		for len(s.ids) <= s.pool {
			s.ids = append(s.ids, nil)
		}
		s.ids[s.pool] = append(s.ids[s.pool], &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, UID: n.UID}})
	}
	s.index++
	s.made.Nodes++
	return n, nil
}

// nextSlices makes those of the next node, or those that a pool shares after its last.
func (s *seeder) nextSlices() (bool, error) {
	at := &s.sliceOf
	for at.pool < len(s.pools) {
		p := s.pools[at.pool]
		if p.Devices.Model == "" || at.index > p.Count {
			at.pool, at.index = at.pool+1, 0
			s.sliceFields = nil
			continue
		}
		var err error
		if at.index < p.Count {
			s.slices, err = gpus.NodeSlices(p, at.index, s.ids[at.pool][at.index])
		} else {
			s.slices, err = gpus.SharedSlices(p)
		}
		at.index++
		return true, err
	}
	return false, nil
}

// finish gives a slice what the API server would have given it.
func (s *seeder) finish(slice *resourcev1.ResourceSlice) error {
	slice.UID, slice.CreationTimestamp, slice.Generation = uuid.NewUUID(), s.at, 1
	for i := range slice.Spec.Devices {
		for j := range slice.Spec.Devices[i].Taints {
			slice.Spec.Devices[i].Taints[j].TimeAdded = &s.at
		}
	}
	owner := ""
	if len(slice.OwnerReferences) > 0 {
		owner = string(slice.OwnerReferences[0].UID)
	}
	// Slices have the same fields where they say the same kind of thing of the same kind of place.
	kind := fmt.Sprint(len(slice.Spec.Devices) > 0, slice.Spec.NodeName != nil, slice.Spec.NodeSelector != nil, owner != "")
	fields, known := s.sliceFields[kind]
	if !known {
		var err error
		if fields, err = ownersOf(slice); err != nil {
			return fmt.Errorf("slice %s: %w", slice.Name, err)
		}
		if s.sliceFields == nil {
			s.sliceFields = map[string]owners{}
		}
		s.sliceFields[kind] = fields
	}
	slice.ManagedFields = fields.of(s.at, owner)
	return nil
}
