package engine

import (
	"bytes"
	"fmt"

	"muster/scheduler/engine/devices"
)

// sameRoom: two pods of a node make the same room for the root. What their claims asked for before they were bound is of no
// matter, and only a process that saw them wait knows it; what they hold is.
func (h *hunt) sameRoom(a, b *pod) bool {
	return a.shape.plain() == b.shape.plain() && (len(a.uses)+len(b.uses) == 0 || bytes.Equal(h.appendHeld(nil, a), h.appendHeld(nil, b)))
}

// appendHeld extends b so that it is equal for pods of which it does not matter, as far as their devices go, who is
// evicted: what they hold alone serves the root equally. Where that cannot be told, a pod is like no other.
func (h *hunt) appendHeld(b []byte, p *pod) []byte {
	if len(p.uses) == 0 {
		return b
	}
	var demands []*devices.Demand
	plain := true
	for _, k := range h.kinds {
		if !h.e.asksDevices(k.shape) && len(k.pods[0].uses) == 0 {
			continue
		}
		d := k.shape.devices.demand
		plain = plain && d != nil && k.simple && h.e.plainDevices(k.shape) && k.shape.devices.extended == nil
		demands = append(demands, d)
	}
	if len(demands) == 0 {
		return b // what it holds is of no use
	}
	for _, u := range p.uses {
		if u.claim == nil || u.claim.settled() == nil || u.claim.reservedForGroup() {
			continue // its eviction frees nothing
		}
		alike := false
		if plain && len(u.claim.pods) == 1 {
			b, alike = h.e.devices.Kinds(append(b, '#'), u.claim.settled(), demands)
		}
		if !alike {
			b = fmt.Appendf(b, " %s", u.claim.Key)
		}
	}
	return b
}
