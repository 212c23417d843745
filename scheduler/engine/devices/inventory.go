package devices

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
)

// Inventory is what is known of devices. It is not safe for concurrent use. Make one with New.
type Inventory struct {
	cel      *cel.Cache
	classes  map[string]*resourceapi.DeviceClass
	versions map[string]uint64 // of classes, known or not
	slices   map[string]*resourceapi.ResourceSlice
	pools    map[poolKey]*pool
	shared   []*pool // of pools, those that more than one node may use, in order
	nodes    map[string]*node
	holdings map[string]*resourceapi.AllocationResult

	wants   []*want
	wantIDs map[string]int32
	demands map[string]*Demand
	clock   uint64
	version uint64 // counts changes of devices that are not plain, and of classes

	quiet int // what is being asked leaves no trace
	sites map[string]*site
	trail []undo

	trouble string

	changed    map[string]bool
	everywhere bool
}

// New is an inventory without devices.
func New() *Inventory {
	return &Inventory{
		cel:     cel.NewCache(1024, cel.Features{EnableConsumableCapacity: true}),
		classes: map[string]*resourceapi.DeviceClass{}, versions: map[string]uint64{},
		slices: map[string]*resourceapi.ResourceSlice{}, pools: map[poolKey]*pool{}, nodes: map[string]*node{},
		holdings: map[string]*resourceapi.AllocationResult{},
		wantIDs:  map[string]int32{}, demands: map[string]*Demand{}, version: 1,
		sites: map[string]*site{}, changed: map[string]bool{},
	}
}

// UpsertClass tells that a DeviceClass exists and what it says.
func (inv *Inventory) UpsertClass(obj *resourceapi.DeviceClass) {
	inv.classes[obj.Name] = obj
	inv.classMoved(obj.Name)
}

// DeleteClass tells that a DeviceClass is gone.
func (inv *Inventory) DeleteClass(name string) {
	delete(inv.classes, name)
	inv.classMoved(name)
}

func (inv *Inventory) classMoved(name string) {
	inv.version++
	inv.versions[name] = inv.version
	inv.everywhere = true
}

func (inv *Inventory) classVersion(name string) uint64 {
	if v := inv.versions[name]; v != 0 {
		return v
	}
	return 1
}

// ClassFor is the class that offers an extended resource, by its own extendedResourceName or by the name that every
// class has for it; empty for none. Of several that claim the same name the newest counts, then the first by name.
func (inv *Inventory) ClassFor(r corev1.ResourceName) string {
	if rest, ok := cutPrefix(string(r), resourceapi.ResourceDeviceClassPrefix); ok {
		if inv.classes[rest] != nil {
			return rest
		}
		return ""
	}
	var best *resourceapi.DeviceClass
	for _, c := range inv.classes {
		if c.Spec.ExtendedResourceName == nil || *c.Spec.ExtendedResourceName != string(r) {
			continue
		}
		if best == nil || best.CreationTimestamp.Before(&c.CreationTimestamp) ||
			c.CreationTimestamp.Equal(&best.CreationTimestamp) && c.Name < best.Name {
			best = c
		}
	}
	if best == nil {
		return ""
	}
	return best.Name
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return "", false
}

// errNoClass is what the allocator hears of a class that does not exist.
var errNoClass = errors.New("it does not exist")

// Get is the class of a name, for the allocator.
func (inv *Inventory) Get(name string) (*resourceapi.DeviceClass, error) {
	if c := inv.classes[name]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("looking up DeviceClass %s: %w", name, errNoClass)
}

// List are all classes, for the allocator.
func (inv *Inventory) List() ([]*resourceapi.DeviceClass, error) {
	out := make([]*resourceapi.DeviceClass, 0, len(inv.classes))
	for _, c := range inv.classes {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *resourceapi.DeviceClass) int { return compare(a.Name, b.Name) })
	return out, nil
}

// Changed are the nodes whose devices are not what they were when it was last called, and whether that may be all of
// them. It forgets them.
func (inv *Inventory) Changed() (nodes []string, everywhere bool) {
	if len(inv.changed) == 0 && !inv.everywhere {
		return nil, false
	}
	everywhere, inv.everywhere = inv.everywhere, false
	for n := range inv.changed {
		nodes = append(nodes, n)
	}
	clear(inv.changed)
	slices.Sort(nodes)
	return nodes, everywhere
}
