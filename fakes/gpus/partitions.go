package gpus

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// cutUp makes the whole device and its partitions, and the counters that tie them together.
func (d device) cutUp(whole resourcev1.Device) ([]resourcev1.Device, resourcev1.CounterSet) {
	p := d.pub.Partitioning
	set := resourcev1.CounterSet{Name: d.fill(p.CounterSet), Counters: counters(p.Counters)}
	if p.FromCapacity && p.Whole != nil {
		maps.Copy(set.Counters, d.fromCapacity(p.Whole.Capacity))
	}
	if p.Slots != nil {
		d.takeSlots(set.Counters, 0, p.Slots.Count)
	}
	var out []resourcev1.Device
	if p.Whole != nil {
		whole.Capacity = d.capacity(p.Whole.Capacity)
		whole.ConsumesCounters = []resourcev1.DeviceCounterConsumption{{CounterSet: set.Name, Counters: set.Counters}}
		out = append(out, whole)
	}
	for _, part := range p.Partitions {
		at := part.At
		if len(at) == 0 {
			at = []int{0}
		}
		for _, slot := range at {
			out = append(out, d.partition(whole, set.Name, part, slot))
		}
	}
	return out, set
}

func (d device) partition(whole resourcev1.Device, set string, part Partition, slot int) resourcev1.Device {
	out := resourcev1.Device{
		Name:       strings.ReplaceAll(d.fill(part.Device), "$slot", strconv.Itoa(slot)),
		Attributes: maps.Clone(whole.Attributes),
		Capacity:   d.capacity(part.Capacity),
	}
	for _, name := range part.Without {
		delete(out.Attributes, d.name(name))
	}
	for name, v := range part.Attributes {
		out.Attributes[d.name(name)] = text(d.fill(v))
	}
	for name, v := range part.Ints {
		if n, err := d.number(v); err == nil { // the check refuses models in which it is not one
			out.Attributes[d.name(name)] = n
		}
	}
	taken := counters(part.Consumes)
	if d.pub.Partitioning.FromCapacity {
		maps.Copy(taken, d.fromCapacity(part.Capacity))
	}
	d.takeSlots(taken, slot, part.Size)
	if len(taken) > 0 {
		out.ConsumesCounters = []resourcev1.DeviceCounterConsumption{{CounterSet: set, Counters: taken}}
	}
	d.dividePieces(&out, part.Shared)
	return out
}

// dividePieces makes the device one that as many claims can have as it has pieces. Its other capacities describe a piece;
// claims use nothing up of them.
func (d device) dividePieces(out *resourcev1.Device, pieces map[string]int64) {
	if len(pieces) == 0 {
		return
	}
	yes := true
	out.AllowMultipleAllocations = &yes
	for name, c := range out.Capacity {
		none := resource.MustParse("0")
		c.RequestPolicy = &resourcev1.CapacityRequestPolicy{Default: &none, ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: &none}}
		out.Capacity[name] = c
	}
	for name, n := range pieces {
		out.Capacity[d.name(name)] = units(n)
	}
}

// units is a capacity of which claims get whole ones, one where they do not ask.
func units(n int64) resourcev1.DeviceCapacity {
	one, all := *resource.NewQuantity(1, resource.DecimalSI), *resource.NewQuantity(n, resource.DecimalSI)
	if n == 1 { // the API wants room for a step above the least
		return resourcev1.DeviceCapacity{Value: all, RequestPolicy: &resourcev1.CapacityRequestPolicy{Default: &one, ValidValues: []resource.Quantity{one}}}
	}
	return resourcev1.DeviceCapacity{Value: all, RequestPolicy: &resourcev1.CapacityRequestPolicy{
		Default: &one, ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: &one, Max: &all, Step: &one},
	}}
}

// share makes a device one that this many claims can have a share of, as its driver does.
func (d device) share(out *resourcev1.Device, shares int) error {
	how := d.pub.Sharing
	if how == nil {
		return fmt.Errorf("driver %s publishes no shares of devices", d.pub.Driver)
	}
	yes := true
	out.AllowMultipleAllocations = &yes
	if c, ok := out.Capacity[d.name(how.OnRequest)]; ok {
		none, step, most := resource.MustParse("0"), how.Step, c.Value
		c.RequestPolicy = &resourcev1.CapacityRequestPolicy{
			Default: &none, ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: &none, Max: &most, Step: &step},
		}
		out.Capacity[d.name(how.OnRequest)] = c
	}
	out.Capacity[d.name(how.Unit)] = units(int64(shares))
	return nil
}

func (d device) capacity(of map[string]resource.Quantity) map[resourcev1.QualifiedName]resourcev1.DeviceCapacity {
	out := make(map[resourcev1.QualifiedName]resourcev1.DeviceCapacity, len(of))
	for name, q := range of {
		out[d.name(name)] = resourcev1.DeviceCapacity{Value: q}
	}
	return out
}

func (d device) fromCapacity(of map[string]resource.Quantity) map[string]resourcev1.Counter {
	out := make(map[string]resourcev1.Counter, len(of))
	for name, q := range of {
		out[counterName(name)] = resourcev1.Counter{Value: q}
	}
	return out
}

func (d device) takeSlots(from map[string]resourcev1.Counter, first, n int) {
	if d.pub.Partitioning.Slots == nil {
		return
	}
	for slot := first; slot < first+n; slot++ {
		name := strings.ReplaceAll(d.pub.Partitioning.Slots.Counter, "$slot", strconv.Itoa(slot))
		from[name] = resourcev1.Counter{Value: *resource.NewQuantity(1, resource.DecimalSI)}
	}
}

func counters(of map[string]resource.Quantity) map[string]resourcev1.Counter {
	out := make(map[string]resourcev1.Counter, len(of))
	for name, q := range of {
		out[name] = resourcev1.Counter{Value: q}
	}
	return out
}

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// counterName is the counter that goes with a capacity: counters are DNS labels, capacities are not.
func counterName(capacity string) string {
	return strings.ToLower(humps.ReplaceAllString(capacity, "$1-$2"))
}
