package devices

import (
	"context"
	"fmt"
	"slices"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/resourceclaim"
)

// want is what a request says about a single device.
type want struct {
	id          int32
	class       string
	selectors   []resourceapi.DeviceSelector
	tolerations []resourceapi.DeviceToleration

	// What follows is derived from the class when it is first needed, and forgotten when the class changes.

	version  uint64 // of the class when this was derived; 0: it was not
	exprs    []cel.CompilationResult
	reads    reading
	verdicts map[string]bool // by what distinguishes devices
	key      []byte          // scratch
	missing  bool            // there is no such class
	fault    string          // an expression that cannot be read, or the first that failed on a device
	broken   bool            // some expression cannot be read

	used  uint64
	match map[*node]matched
	pools map[*pool]matchedPool
	kinds oddness
}

// matched are the plain devices of a node that meet a want.
type matched struct {
	version uint64 // of the node's devices
	bits    []uint64
}

// matchedPool says whether any device of a pool, plain or not, meets a want.
type matchedPool struct {
	version uint64 // of the pool
	any     bool
}

// manyWants bounds how many wants keep what they found out about nodes.
const manyWants = 256

func (inv *Inventory) wantFor(class string, selectors []resourceapi.DeviceSelector, tolerations []resourceapi.DeviceToleration) int32 {
	key := fmt.Sprintf("%q", class)
	for _, s := range selectors {
		if s.CEL != nil {
			key += fmt.Sprintf("s%q", s.CEL.Expression)
		} else {
			key += "s?"
		}
	}
	for _, t := range tolerations {
		key += fmt.Sprintf("t%q%q%q%q", t.Key, t.Operator, t.Value, t.Effect)
	}
	if id, ok := inv.wantIDs[key]; ok {
		return id
	}
	id := int32(len(inv.wants))
	inv.wantIDs[key] = id
	inv.wants = append(inv.wants, &want{id: id, class: class, selectors: selectors, tolerations: tolerations})
	return id
}

// want is a want with everything that its class says.
func (inv *Inventory) want(id int32) *want {
	w := inv.wants[id]
	inv.clock++
	w.used = inv.clock
	if w.version == inv.classVersion(w.class) && w.version != 0 {
		return w
	}
	*w = want{id: id, class: w.class, selectors: w.selectors, tolerations: w.tolerations, used: w.used,
		version: inv.classVersion(w.class), verdicts: map[string]bool{}, match: map[*node]matched{}, pools: map[*pool]matchedPool{}}
	inv.forgetOldest()
	c := inv.classes[w.class]
	if c == nil {
		w.missing = true
		return w
	}
	var texts []string
	add := func(where string, list []resourceapi.DeviceSelector) {
		for i, s := range list {
			if s.CEL == nil {
				w.blame("%s: selector %d is of a kind this scheduler does not know", where, i)
				w.broken = true
				continue
			}
			e := inv.cel.GetOrCompile(s.CEL.Expression)
			if e.Error != nil {
				w.blame("%s: selector %d cannot be compiled: %s", where, i, e.Error.Detail)
				w.broken = true
				continue
			}
			w.exprs = append(w.exprs, e)
			texts = append(texts, s.CEL.Expression)
		}
	}
	add("DeviceClass "+w.class, c.Spec.Selectors)
	add("the request", w.selectors)
	w.reads = readingOf(texts)
	return w
}

func (w *want) blame(format string, args ...any) {
	if w.fault == "" {
		w.fault = fmt.Sprintf(format, args...)
	}
}

// forgetOldest keeps what wants know of nodes within bounds: wants may be as many as there are serial numbers.
func (inv *Inventory) forgetOldest() {
	var oldest *want
	n := 0
	for _, w := range inv.wants {
		if w.version == 0 {
			continue
		}
		if n++; oldest == nil || w.used < oldest.used {
			oldest = w
		}
	}
	if n > manyWants {
		oldest.version, oldest.match, oldest.pools, oldest.verdicts = 0, nil, nil, nil
	}
}

// meets reports whether a device is what is wanted, whoever holds it.
func (w *want) meets(driver string, d *resourceapi.Device) bool {
	if w.missing || w.broken || len(d.BindingConditions) > 0 || !w.tolerates(d) {
		return false
	}
	w.key = w.reads.of(w.key, driver, d)
	v, known := w.verdicts[string(w.key)]
	if !known {
		v = w.evaluate(driver, d)
		w.verdicts[string(w.key)] = v
	}
	return v
}

func (w *want) evaluate(driver string, d *resourceapi.Device) bool {
	in := cel.Device{Driver: driver, AllowMultipleAllocations: d.AllowMultipleAllocations, Attributes: d.Attributes, Capacity: d.Capacity}
	for _, e := range w.exprs {
		ok, _, err := e.DeviceMatches(context.Background(), in)
		if err != nil {
			w.blame("%q fails on device %s of driver %s: %s", e.Expression, d.Name, driver, strings.TrimSpace(err.Error()))
			return false
		}
		if !ok {
			return false
		}
	}
	return true
}

// tolerates: a taint that keeps claims away must be tolerated by the request.
func (w *want) tolerates(d *resourceapi.Device) bool {
	for _, t := range d.Taints {
		if t.Effect != resourceapi.DeviceTaintEffectNoSchedule && t.Effect != resourceapi.DeviceTaintEffectNoExecute {
			continue
		}
		if !slices.ContainsFunc(w.tolerations, func(tol resourceapi.DeviceToleration) bool { return resourceclaim.ToleratesTaint(tol, t) }) {
			return false
		}
	}
	return true
}
