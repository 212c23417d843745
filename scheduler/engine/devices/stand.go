package devices

import (
	"slices"

	resourceapi "k8s.io/api/resource/v1"
)

// Standing is how one node stands to a kind of device that is asked for.
type Standing struct {
	Class string
	Asked int // by one pod
	Free  int // that meet the request and nobody holds
	All   int // that meet it
}

// Stand says for each exact request of a demand how a node stands to it. Devices that can be shared count as free.
func (inv *Inventory) Stand(name string, d *Demand) []Standing {
	out := make([]Standing, 0, len(d.counts))
	pools := inv.visible(name)
	for _, c := range d.counts {
		w := inv.want(c.want)
		s := Standing{Class: w.class, Asked: int(c.n)}
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
