package engine

import (
	resourceapi "k8s.io/api/resource/v1"

	"muster/scheduler/engine/devices"
)

// keptDevices are devices that a seat keeps for a claim of its pod, by a name among the inventory's holdings. They may be
// held by a victim's claim still: what is held twice is free when both have let go.
type keptDevices struct {
	holding string
	of      *resourceapi.AllocationResult
}

func (d keptDevices) same(o keptDevices) bool {
	return d.holding == o.holding && devices.Same(d.of, o.of)
}

// devicesToKeep are those that a placement is to give its pod and that no claim of it holds yet. A claim that several pods
// of the plan share is kept with the first of them; named remembers which were.
func (e *Engine) devicesToKeep(pl Placement, named map[string]bool) (out []keptDevices) {
	for _, d := range pl.Devices {
		k := Key{pl.Pod.Namespace, d.Name}
		name := "seat/" + k.String()
		if d.Name == "" {
			name = "seat/" + extendedHolding(pl.Pod.UID)
		} else if c := e.devices.claims[k]; c == nil || c.settled() != nil {
			continue
		}
		if d.Allocation == nil || named[name] {
			continue
		}
		named[name] = true
		out = append(out, keptDevices{name, d.Allocation})
	}
	return out
}

// keepDevices takes a seat's devices from others, giveDevices lets others have them.
func (e *Engine) keepDevices(s *seat) {
	for _, d := range s.devices {
		e.devices.Hold(d.holding, d.of)
	}
	if len(s.devices) > 0 {
		e.devicesMoved()
	}
}

func (e *Engine) giveDevices(s *seat) {
	for _, d := range s.devices {
		e.devices.Drop(d.holding)
	}
	if len(s.devices) > 0 {
		e.devicesMoved()
	}
}
