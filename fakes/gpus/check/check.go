package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// Result says what a check has looked at.
type Result struct {
	Model string
	// Classes of the model's drivers, Devices in all the ways they can be published, and Evaluations of one against another.
	Classes, Devices, Evaluations int
}

// Pools refuses pools whose devices cannot be had: a model there is not, more devices than a node has places, partitions or
// shares of what has none, or a model that does not hold together. It is cheap enough to be called before every run.
func Pools(ctx context.Context, pools ...nodes.Pool) error {
	var errs []error
	checked := map[string]bool{}
	for _, p := range pools {
		if p.Devices.Model == "" {
			continue
		}
		m, err := gpus.Named(p.Devices.Model)
		if err == nil {
			_, err = gpus.NodeSlices(p, 0, nil)
		}
		if err == nil {
			_, err = gpus.SharedSlices(p)
		}
		if err == nil && p.Devices.Partitions && !slices.ContainsFunc(m.Publications, func(p gpus.Publication) bool { return p.Partitioning != nil }) {
			err = fmt.Errorf("model %s cannot be cut up", m.Name)
		}
		if err == nil && !checked[m.Name] {
			checked[m.Name] = true
			_, err = Model(ctx, m)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("pool %q: devices: %w", p.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Model checks one model with the drivers that are known.
func Model(ctx context.Context, m gpus.Model) (Result, error) {
	drivers, err := gpus.Drivers()
	if err != nil {
		return Result{Model: m.Name}, err
	}
	return Against(ctx, m, drivers)
}

// Against checks a model with these drivers. Its error names each class that fails, with model
// and the first device it fails on, and everything that is without a source.
func Against(ctx context.Context, m gpus.Model, drivers map[string]gpus.Driver) (Result, error) {
	r := Result{Model: m.Name}
	errs := sources(m)
	classes := map[string]*resourcev1.DeviceClass{}
	for _, p := range m.Publications {
		d, known := drivers[p.Driver]
		if !known {
			errs = append(errs, fmt.Errorf("model %s: driver %s has no classes: there is no file for it in drivers/", m.Name, p.Driver))
		}
		for _, scope := range []string{"", scope} {
			for _, c := range d.DeviceClasses(scope) {
				classes[c.Name] = c
			}
		}
	}
	r.Classes = len(classes)
	e := evaluator{model: m.Name, cache: cel.NewCache(100, cel.Features{EnableConsumableCapacity: true}), failed: map[string]bool{}}
	for _, devices := range ways(m) {
		published, err := m.NodeSlices(m.Decorate(nodes.Pool{Name: "node", Count: 1, Devices: devices}), 0, nil)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, s := range published {
			for _, d := range s.Spec.Devices {
				r.Devices++
				errs = append(errs, e.device(ctx, classes, s.Spec.Driver, d)...)
			}
		}
	}
	r.Evaluations = e.done
	return r, errors.Join(errs...)
}

// scope is one like those that scenarios have.
const scope = "check"

// ways are all the ways in which a model's devices can be published.
func ways(m gpus.Model) []nodes.Devices {
	shares := []int{0}
	if slices.ContainsFunc(m.Publications, func(p gpus.Publication) bool { return p.Sharing != nil }) {
		shares = append(shares, 4)
	}
	var out []nodes.Devices
	for _, scope := range []string{"", scope} {
		for _, partitions := range []bool{false, true} {
			for _, n := range shares {
				out = append(out, nodes.Devices{Model: m.Name, Scope: scope, Partitions: partitions, Shares: n})
			}
		}
	}
	return out
}

// evaluator evaluates classes.
type evaluator struct {
	model string
	cache *cel.Cache
	done  int
	// failed are the classes that have failed: one device a class is enough to name.
	failed map[string]bool
}

// device evaluates every class against a device, as an allocator might: an error in one aborts whatever asks for it.
// Besides, a device that no class selects could never be had.
func (e *evaluator) device(ctx context.Context, classes map[string]*resourcev1.DeviceClass, driver string, d resourcev1.Device) []error {
	var errs []error
	selected := false
	input := cel.Device{Driver: driver, AllowMultipleAllocations: d.AllowMultipleAllocations, Attributes: d.Attributes, Capacity: d.Capacity}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		matches := true
		for _, s := range classes[name].Spec.Selectors {
			e.done++
			ok, err := e.evaluate(ctx, s.CEL.Expression, input)
			if err != nil && !e.failed[name] {
				e.failed[name] = true
				errs = append(errs, fmt.Errorf("model %s: class %s does not evaluate against device %s of driver %s: %w", e.model, name, d.Name, driver, err))
			}
			matches = matches && ok && err == nil
		}
		selected = selected || matches
	}
	if !selected && len(e.failed) == 0 {
		e.failed[""] = true
		errs = append(errs, fmt.Errorf("model %s: no class selects device %s of driver %s", e.model, d.Name, driver))
	}
	return errs
}

func (e *evaluator) evaluate(ctx context.Context, expression string, input cel.Device) (bool, error) {
	compiled := e.cache.GetOrCompile(expression)
	if compiled.Error != nil {
		return false, fmt.Errorf("compiling %q: %w", expression, compiled.Error)
	}
	ok, _, err := compiled.DeviceMatches(ctx, input)
	return ok, err
}
