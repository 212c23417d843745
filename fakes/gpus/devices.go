package gpus

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"

	"muster/fakes/nodes"
)

// publish makes what one driver of the model publishes in one place.
func (m Model) publish(driver string, w place) (published, error) {
	var out published
	for _, pub := range m.Publications {
		if pub.Driver != driver {
			continue
		}
		count := m.count(w.pool.Devices)
		if pub.PerNode > 0 {
			if w.nodeName == nil {
				continue // what a node has once is not something that nodes share
			}
			count = pub.PerNode
		}
		for gpu := range count {
			d := device{model: m.Name, pub: pub, place: w, gpu: gpu}
			if err := d.add(&out); err != nil {
				return published{}, fmt.Errorf("model %s, driver %s, device %d: %w", m.Name, driver, gpu, err)
			}
		}
	}
	return out, nil
}

// device is one GPU (or other thing) in the making.
type device struct {
	model string
	pub   Publication
	place place
	gpu   int
}

// fill puts the device's own values in the place of what stands for them. There are tens of thousands of devices with a
// dozen strings each, few of which have anything to fill in.
func (d device) fill(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	s = strings.ReplaceAll(s, "$gpu", strconv.Itoa(d.gpu))
	s = strings.ReplaceAll(s, "$render", strconv.Itoa(128+d.gpu))
	if strings.Contains(s, "$uuid") {
		s = strings.ReplaceAll(s, "$uuid", nodes.UUID(d.model+"/"+d.place.name+"/"+strconv.Itoa(d.gpu)))
	}
	if strings.Contains(s, "$rackuuid") {
		s = strings.ReplaceAll(s, "$rackuuid", nodes.RackUUID(d.place.pool.Name, d.place.rack))
	}
	return s
}

// add makes the device, or what it can be cut into as well.
func (d device) add(out *published) error {
	attributes, err := d.attributes()
	if err != nil {
		return err
	}
	wanted := d.place.pool.Devices
	whole := resourcev1.Device{Name: d.fill(d.pub.Device), Attributes: attributes, Capacity: map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{}}
	for name, c := range d.pub.Capacity {
		whole.Capacity[d.name(name)] = resourcev1.DeviceCapacity{Value: c.Value}
	}
	devices := []resourcev1.Device{whole}
	if wanted.Partitions && d.pub.Partitioning != nil {
		var counters resourcev1.CounterSet
		devices, counters = d.cutUp(whole)
		out.counters = append(out.counters, counters)
	}
	for i := range devices {
		if len(devices[i].Capacity) == 0 {
			devices[i].Capacity = nil
		}
		if wanted.Shares > 0 && d.pub.PerNode == 0 {
			if err := d.share(&devices[i], wanted.Shares); err != nil {
				return err
			}
		}
		if d.pub.PerNode == 0 {
			devices[i].Taints = d.taints()
		}
	}
	out.devices = append(out.devices, devices...)
	return nil
}

func (d device) attributes() (map[resourcev1.QualifiedName]resourcev1.DeviceAttribute, error) {
	out := make(map[resourcev1.QualifiedName]resourcev1.DeviceAttribute, len(d.pub.Attributes))
	var bad []string
	for name, a := range d.pub.Attributes {
		v, err := d.attribute(a)
		if err != nil {
			bad = append(bad, fmt.Sprintf("attribute %s: %v", name, err))
		}
		out[d.name(name)] = v
	}
	if len(bad) > 0 {
		return nil, errors.New(slices.Min(bad)) // always the same one
	}
	return out, nil
}

func (d device) attribute(a Attribute) (resourcev1.DeviceAttribute, error) {
	switch {
	case a.String != "":
		return text(d.fill(a.String)), nil
	case a.Version != "":
		return resourcev1.DeviceAttribute{VersionValue: &a.Version}, nil
	case a.Int != "":
		return d.number(a.Int)
	case a.Bool != nil:
		return resourcev1.DeviceAttribute{BoolValue: a.Bool}, nil
	case len(a.Each) > 0:
		i, err := d.each(len(a.Each))
		if err != nil {
			return resourcev1.DeviceAttribute{}, err
		}
		return text(a.Each[i]), nil
	case len(a.EachInt) > 0:
		i, err := d.each(len(a.EachInt))
		if err != nil {
			return resourcev1.DeviceAttribute{}, err
		}
		return resourcev1.DeviceAttribute{IntValue: &a.EachInt[i]}, nil
	}
	return resourcev1.DeviceAttribute{}, fmt.Errorf("has no value: want one of string, version, int, bool, each, eachInt")
}

// each picks this device's of a list of values. Devices in one node have one place each; those that nodes share are in
// several machines, in which the places come again.
func (d device) each(n int) (int, error) {
	if d.gpu >= n && d.place.nodeName != nil {
		return 0, fmt.Errorf("has a value for %d devices of a node; there cannot be %d", n, d.place.pool.Devices.Count)
	}
	return d.gpu % n, nil
}

func (d device) number(n Number) (resourcev1.DeviceAttribute, error) {
	v, err := strconv.ParseInt(d.fill(string(n)), 10, 64)
	if err != nil {
		return resourcev1.DeviceAttribute{}, fmt.Errorf("%q is not a number", n)
	}
	return resourcev1.DeviceAttribute{IntValue: &v}, nil
}

func text(s string) resourcev1.DeviceAttribute { return resourcev1.DeviceAttribute{StringValue: &s} }

// name of an attribute or capacity. Those of a driver under its own name go without a domain, which is then the driver's,
// as drivers publish them. Where the driver is called otherwise the domain is written out, so that claims find it.
func (d device) name(n string) resourcev1.QualifiedName {
	return CapacityName(d.place.pool.Devices.Scope, d.pub.Driver, n)
}

func (d device) taints() []resourcev1.DeviceTaint {
	var out []resourcev1.DeviceTaint
	for _, t := range d.place.pool.Devices.Taints {
		if len(t.Devices) == 0 || slices.Contains(t.Devices, d.gpu) {
			out = append(out, resourcev1.DeviceTaint{Key: t.Key, Value: t.Value, Effect: resourcev1.DeviceTaintEffect(t.Effect)})
		}
	}
	return out
}
