package nodes

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Devices says which devices a pool has for claims to ask for (dynamic resource allocation). What a model's devices look
// like is told by fakes/gpus, which makes their ResourceSlices and DeviceClasses. The zero value is no devices.
type Devices struct {
	// Model of the devices as fakes/gpus names it ("h100"). Empty: no devices, whatever else is set here.
	Model string `json:"model"`
	// Count of devices on each node; of the whole pool where Reach is not ReachNode. 0 is the model's usual number.
	Count int `json:"count,omitempty"`
	// Scope keeps devices and classes of scenarios that share a cluster apart: drivers, classes and extended resources are
	// named after it, and a class selects devices of its own scope only. Pools of one scope share classes. Attributes keep
	// the names that the real drivers give them. Empty: every name is the real driver's, as a cluster used by hand wants.
	Scope string `json:"scope,omitempty"`
	// Partitions publishes every device also in the pieces it can be cut into, tied together by shared counters.
	Partitions bool `json:"partitions,omitempty"`
	// Shares lets this many claims share one device, as consumable capacity. 0: a device belongs to one claim.
	Shares int `json:"shares,omitempty"`
	// Reach says from which nodes the devices can be used.
	Reach Reach `json:"reach,omitempty"`
	// Taints on devices.
	Taints []DeviceTaint `json:"taints,omitempty"`
}

// Reach says from which nodes a device can be used.
type Reach string

const (
	// ReachNode (the default): from the node it is in; there are Count on each.
	ReachNode Reach = ""
	// ReachPool: from every node of the pool (a node selector on PoolLabel); there are Count in all.
	ReachPool Reach = "pool"
	// ReachCluster: from all nodes of the cluster; there are Count in all.
	ReachCluster Reach = "cluster"
)

// DeviceTaint is a taint on devices as data.
type DeviceTaint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
	// Devices are the numbers of the devices on a node (from 0) that have it; none: all have it.
	Devices []int `json:"devices,omitempty"`
}

// deviceEffects are the legal effects of a device taint: those of nodes, but for PreferNoSchedule, and None, which only
// informs.
var deviceEffects = []string{"NoSchedule", "NoExecute", "None"}

func (d Devices) validate(bad complain) {
	if d.Model == "" {
		if d.Count != 0 || d.Scope != "" || d.Partitions || d.Shares != 0 || d.Reach != "" || len(d.Taints) > 0 {
			bad("devices.model", "is empty, but devices are described; name a model")
		}
		return
	}
	for field, n := range map[string]int{"count": d.Count, "shares": d.Shares} {
		if n < 0 {
			bad("devices."+field, "is %d; want 0 or more", n)
		}
	}
	if msgs := validation.IsDNS1123Label(d.Scope); d.Scope != "" && len(msgs) > 0 {
		bad("devices.scope", "%s", msgs[0])
	}
	if reaches := []Reach{ReachNode, ReachPool, ReachCluster}; !slices.Contains(reaches, d.Reach) {
		bad("devices.reach", "%q is none of %q", d.Reach, reaches)
	}
	for i, t := range d.Taints {
		field := fmt.Sprintf("devices.taints[%d]", i)
		taint(bad, field, t.Key, t.Value, t.Effect, deviceEffects)
	}
}

// Rack is the number of the rack that the node with this index stands in; without racks the pool is one.
func (p Pool) Rack(index int) int {
	if p.NodesPerRack <= 0 {
		return 0
	}
	return index / p.NodesPerRack
}

// RackUUID names a rack of a pool with this (real) name for ever: what $rackuuid stands for in RackLabels.
func RackUUID(pool string, rack int) string { return UUID(fmt.Sprintf("rack/%s/%d", pool, rack)) }

// UUID is a name in the form of a UUID that follows from what it is made of, so that the same pool always has the same.
func UUID(of string) string {
	s := sha256.Sum256([]byte(of))
	return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:16])
}
