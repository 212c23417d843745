package devices

import (
	"slices"
	"strconv"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
)

// Standing is how one node stands to a kind of device that is asked for.
type Standing struct {
	Class string
	Asked int // by one pod
	Free  int // that meet the request and nobody holds
	All   int // that meet it
	// Selected: the request has selectors of its own, so that not every device of the class meets it.
	Selected bool
}

// Stand says for each exact request of a demand how a node stands to it. Devices that can be shared count as free.
func (inv *Inventory) Stand(name string, d *Demand) []Standing {
	out := make([]Standing, 0, len(d.counts))
	pools := inv.visible(name)
	for _, c := range d.counts {
		w := inv.want(c.want)
		s := Standing{Class: w.class, Asked: int(c.n), Selected: len(w.selectors) > 0}
		for _, p := range pools {
			p.refresh()
			if p.flaw != "" {
				continue
			}
			for _, sl := range p.newest {
				if sl.Spec.NodeName != nil && *sl.Spec.NodeName != name {
					continue
				}
				for i := range sl.Spec.Devices {
					s.note(p, &sl.Spec.Devices[i], w)
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func (s *Standing) note(p *pool, dev *resourceapi.Device, w *want) {
	if !w.meets(p.driver, dev) {
		return
	}
	s.All++
	if p.held[dev.Name] == 0 {
		s.Free++
	}
}

// Classes are the classes a demand names, each once, in their order.
func (inv *Inventory) Classes(d *Demand) []string {
	var out []string
	seen := map[string]bool{}
	for _, any := range d.need {
		for _, id := range any {
			if c := inv.wants[id].class; !seen[c] {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// Flaws are the pools whose devices cannot be used, with the reason, at most limit of them.
func (inv *Inventory) Flaws(limit int) []string {
	var out []string
	for _, p := range inv.pools {
		if len(p.slices) == 0 {
			continue
		}
		if p.refresh(); p.flaw != "" {
			out = append(out, "pool "+p.driver+"/"+p.name+": "+p.flaw)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), limit)]
}

// Signature is equal for nodes whose devices are interchangeable for plain demands, and extends b.
func (inv *Inventory) Signature(b []byte, name string, demands []*Demand) []byte {
	n := inv.fresh(name)
	if s := inv.sites[name]; s != nil {
		return append(append(b, '!'), name...) // something is being tried there: it is like no other
	}
	if n == nil {
		return append(b, '-')
	}
	counts := map[string]int{}
	for i := range n.devices {
		if n.free[i/64]&(1<<(i%64)) == 0 {
			continue
		}
		var meets []byte
		for _, d := range demands {
			for _, c := range d.counts {
				meets = append(meets, byte('0'+inv.match(n, inv.want(c.want))[i/64]>>(i%64)&1))
			}
		}
		counts[string(meets)]++
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		b = append(append(strconv.AppendInt(append(b, ';'), int64(counts[k]), 10), ':'), k...)
	}
	return b
}

// Kinds extends b so that it is equal for allocations whose devices serve plain demands equally. ok is false where that
// cannot be told: some device is not one that its node alone offers as a whole.
func (inv *Inventory) Kinds(b []byte, a *resourceapi.AllocationResult, demands []*Demand) (out []byte, ok bool) {
	var kinds []string
	for i := range a.Devices.Results {
		r := &a.Devices.Results[i]
		if r.AdminAccess != nil && *r.AdminAccess {
			continue // takes nothing from others
		}
		p := inv.pools[poolKey{r.Driver, r.Pool}]
		if p == nil || r.ShareID != nil {
			return b, false
		}
		at, known := p.places[r.Device]
		if !known || at.node.stale {
			return b, false
		}
		var meets []byte
		for _, d := range demands {
			for _, c := range d.counts {
				meets = append(meets, byte('0'+inv.match(at.node, inv.want(c.want))[at.at/64]>>(at.at%64)&1))
			}
		}
		kinds = append(kinds, string(meets))
	}
	slices.Sort(kinds)
	return append(b, strings.Join(kinds, ",")...), true
}
