package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"muster/scheduler/engine/devices"
)

// DeviceShort says how one kind of devices stands between a pod and the nodes.
type DeviceShort struct {
	Class string // and what else the devices must be
	Asked int    // by one pod, or by the claim that pods share
	Nodes int    // nodes that may be used but have fewer free, or none that can be taken together
	Most  int    // the most that are free on one of them
	On    string // that node, of several the first by name; empty where none is free
}

// String reads as "3 nodes have too few devices of class gpu.example.com (4 asked, at most 2 free: on n7)".
func (s DeviceShort) String() string {
	if s.Asked > 0 && s.Most < s.Asked {
		where := ""
		if s.On != "" {
			where = ": on " + s.On
		}
		return fmt.Sprintf("%d nodes have too few devices of class %s (%d asked, at most %d free%s)", s.Nodes, s.Class, s.Asked, s.Most, where)
	}
	return fmt.Sprintf("%d nodes have no devices of class %s that can be taken together as asked", s.Nodes, s.Class)
}

type deviceShorts map[string]*DeviceShort

// lacksDevices notes what a node lacks for one more pod of the kind; false if it lacks nothing.
func (e *Engine) lacksDevices(short deviceShorts, k *kind, n *node) bool {
	var list []*devices.Demand
	if d := e.wants(k.shape, n); d != nil {
		list = append(list, d)
	}
	for _, c := range k.devs {
		if e.allocation(c) == nil && c.demand != nil {
			list = append(list, c.demand)
		}
	}
	for _, d := range list {
		if e.devices.Fits(objOf(n), d) {
			continue
		}
		noted := false
		for _, s := range e.devices.Stand(n.name, d) {
			if s.Free < s.Asked {
				short.note(n.name, named(s), s.Asked, s.Free)
				noted = true
			}
		}
		if !noted {
			short.note(n.name, strings.Join(e.devices.Classes(d), ", "), 0, 0)
		}
		return true
	}
	return false
}

// named is a class as it reads in a sentence about devices that are missing: others of it may be free.
func named(s devices.Standing) string {
	if s.Selected {
		return s.Class + " that the request's selectors take"
	}
	return s.Class
}

func (s deviceShorts) note(node, class string, asked, free int) {
	key := fmt.Sprintf("%s %d", class, asked)
	x := s[key]
	if x == nil {
		x = &DeviceShort{Class: class, Asked: asked}
		s[key] = x
	}
	x.Nodes++
	if free > x.Most || free == x.Most && free > 0 && node < x.On {
		x.Most, x.On = free, node
	}
}

func (s deviceShorts) sorted() []DeviceShort {
	var out []DeviceShort
	for _, x := range s {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b DeviceShort) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Asked, b.Asked))
	})
	return out
}

// manyFaults bounds how many pools are named: they all end in one condition.
const manyFaults = 3

// deviceFaults says what may be wrong where a kind finds no devices: an expression that failed, a search that was given
// up, pools that cannot be used.
func (e *Engine) deviceFaults(k *kind) []string {
	var out []string
	note := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if d := k.shape.devices.demand; d != nil {
		note(e.devices.Fault(d))
	}
	for _, c := range k.devs {
		if c.demand != nil {
			note(e.devices.Fault(c.demand))
		}
	}
	note(e.devices.Trouble())
	for _, f := range e.devices.Flaws(manyFaults) {
		note(f)
	}
	return out
}
