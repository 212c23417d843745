package devices

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// assign gives devices to the tenants of a node, all of them plain.
func (inv *Inventory) assign(name string) {
	s, n := inv.sites[name], inv.fresh(name)
	if s == nil {
		return
	}
	if n == nil {
		n = &node{name: name} // without devices it takes those that ask for none
	}
	m := inv.matching(n)
	for _, t := range s.tenants {
		if !m.add(inv, n, t.demand.counts) {
			return
		}
	}
	given := map[int][]int{} // devices by unit; a unit has one
	for at, unit := range m.owner {
		given[unit] = append(given[unit], at)
	}
	unit := 0
	for _, t := range s.tenants {
		byWant := map[int32][]int{}
		for range unitsOf(t.demand.counts) {
			w := m.units[unit]
			byWant[w] = append(byWant[w], given[unit]...)
			unit++
		}
		for _, list := range byWant {
			slices.Sort(list)
		}
		results := make([]resourceapi.AllocationResult, len(t.claims))
		for i, c := range t.claims {
			results[i] = inv.result(n, c, byWant)
		}
		inv.settle(t, results)
	}
}

func unitsOf(counts []Count) int {
	sum := 0
	for _, c := range counts {
		sum += int(c.n)
	}
	return sum
}

// result writes the allocation of a claim; the devices it gets are taken off the lists.
func (inv *Inventory) result(n *node, c *resourceapi.ResourceClaim, byWant map[int32][]int) resourceapi.AllocationResult {
	var out resourceapi.AllocationResult
	for i := range c.Spec.Devices.Requests {
		r := &c.Spec.Devices.Requests[i]
		w := inv.wantFor(r.Exactly.DeviceClassName, r.Exactly.Selectors, r.Exactly.Tolerations)
		for range countOf(r.Exactly) {
			d := n.devices[byWant[w][0]]
			byWant[w] = byWant[w][1:]
			out.Devices.Results = append(out.Devices.Results, resourceapi.DeviceRequestAllocationResult{
				Request: r.Name, Driver: d.pool.driver, Pool: d.pool.name, Device: d.dev.Name, Tolerations: r.Exactly.Tolerations,
				BindingFailureConditions: d.dev.BindingFailureConditions,
			})
		}
	}
	out.Devices.Config = inv.config(c)
	if len(out.Devices.Results) > 0 {
		out.NodeSelector = onlyOn(n.name)
	}
	return out
}

// config is the configuration of a claim: of each class once, for the requests that name it, then its own.
func (inv *Inventory) config(c *resourceapi.ResourceClaim) []resourceapi.DeviceAllocationConfiguration {
	var out []resourceapi.DeviceAllocationConfiguration
	requests := c.Spec.Devices.Requests
	seen := map[string]bool{}
	for i := range requests {
		name := requests[i].Exactly.DeviceClassName
		class := inv.classes[name]
		if class == nil || seen[name] {
			continue
		}
		seen[name] = true
		var users []string
		for j := range requests {
			if requests[j].Exactly.DeviceClassName == name {
				users = append(users, requests[j].Name)
			}
		}
		if len(users) == len(requests) {
			users = nil // all: said by naming none
		}
		for _, conf := range class.Spec.Config {
			out = append(out, resourceapi.DeviceAllocationConfiguration{Source: resourceapi.AllocationConfigSourceClass,
				Requests: slices.Clone(users), DeviceConfiguration: conf.DeviceConfiguration})
		}
	}
	for _, conf := range c.Spec.Devices.Config {
		users, touched, all := conf.Requests, len(conf.Requests) == 0, true
		for i := range requests {
			in := slices.Contains(users, requests[i].Name)
			touched, all = touched || in, all && in
		}
		if !touched {
			continue
		}
		if all {
			users = nil
		}
		out = append(out, resourceapi.DeviceAllocationConfiguration{Source: resourceapi.AllocationConfigSourceClaim,
			Requests: users, DeviceConfiguration: conf.DeviceConfiguration})
	}
	return out
}

func onlyOn(node string) *corev1.NodeSelector {
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{
		Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node},
	}}}}}
}
