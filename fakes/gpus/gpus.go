package gpus

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"muster/fakes/nodes"
)

//go:embed models/*.yaml drivers/*.yaml
var data embed.FS

// catalogue is read once: pools of thousands of nodes ask for the same model again and again.
var catalogue = sync.OnceValues(func() (c struct {
	models  []Model
	drivers map[string]Driver
}, err error) {
	if c.models, err = readAll[Model](data, "models"); err != nil {
		return c, fmt.Errorf("reading GPU models: %w", err)
	}
	list, err := readAll[Driver](data, "drivers")
	if err != nil {
		return c, fmt.Errorf("reading the classes of GPU drivers: %w", err)
	}
	c.drivers = map[string]Driver{}
	for _, d := range list {
		c.drivers[d.Driver] = d
	}
	return c, nil
})

// readAll reads every file of a folder, in the order of their names.
func readAll[T any](from fs.FS, dir string) ([]T, error) {
	files, err := fs.Glob(from, dir+"/*.yaml")
	if err != nil {
		return nil, err
	}
	out := make([]T, len(files))
	for i, file := range files {
		b, err := fs.ReadFile(from, file)
		if err == nil {
			err = yaml.UnmarshalStrict(b, &out[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return out, nil
}

// Models are all known models, sorted by name. Callers share them and do not change them.
func Models() ([]Model, error) {
	c, err := catalogue()
	return c.models, err
}

// Drivers are the DRA drivers whose classes are known, by name.
func Drivers() (map[string]Driver, error) {
	c, err := catalogue()
	return c.drivers, err
}

// Named finds a model; case does not matter. The error lists the models there are.
func Named(name string) (Model, error) {
	all, err := Models()
	if err != nil {
		return Model{}, err
	}
	names := make([]string, len(all))
	for i, m := range all {
		if strings.EqualFold(m.Name, name) {
			return m, nil
		}
		names[i] = m.Name
	}
	return Model{}, fmt.Errorf("no GPU model is named %q; there are: %s", name, strings.Join(names, ", "))
}

// Decorate returns the pool with nodes of this model. A number of GPUs, a resource, an architecture, racks and labels
// that the pool has already win over the model's. A pool whose GPUs are devices gets no extended resource beside them: a
// node has a device plugin or a DRA driver.
func (m Model) Decorate(p nodes.Pool) nodes.Pool {
	count := p.GPUs
	switch {
	case p.Devices.Model != "" && p.Devices.Reach == nodes.ReachNode:
		count = m.count(p.Devices)
	case count == 0 && p.Devices.Model == "":
		p.GPUs, count = m.Count, m.Count
	}
	if p.GPUResource == "" {
		p.GPUResource = m.Resource
	}
	if p.Arch == "" {
		p.Arch = m.Arch
	}
	if p.NodesPerRack == 0 {
		p.NodesPerRack = m.NodesPerRack
	}
	labels := make(map[string]string, len(m.Labels)+len(p.Labels))
	for _, k := range slices.Sorted(maps.Keys(m.Labels)) {
		switch v := m.Labels[k]; v {
		case "$count":
			labels[k] = strconv.Itoa(count)
		case "$memory":
			labels[k] = strconv.Itoa(m.Memory)
		default:
			labels[k] = v
		}
	}
	maps.Copy(labels, p.Labels)
	p.Labels = labels
	if len(m.RackLabels) > 0 {
		racks := maps.Clone(m.RackLabels)
		maps.Copy(racks, p.RackLabels)
		p.RackLabels = racks
	}
	return p
}

// count of GPUs: what was asked for, or the usual number.
func (m Model) count(d nodes.Devices) int {
	if d.Count > 0 {
		return d.Count
	}
	return m.Count
}
