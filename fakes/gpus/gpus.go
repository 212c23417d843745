package gpus

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/fakes/nodes"
)

//go:embed models.yaml
var data []byte

// Model is one kind of GPU and the node it usually sits in.
type Model struct {
	// Name to ask for it by, lower-case.
	Name string `json:"name"`
	// About is one line for people.
	About string `json:"about"`
	// Resource is the extended resource that the vendor's device plugin offers.
	Resource string `json:"resource"`
	// Count of GPUs on a usual node.
	Count int `json:"count"`
	// Memory of one GPU in MiB, as its driver reports it.
	Memory int `json:"memory"`
	// Arch of the node's processors.
	Arch string `json:"arch"`
	// Labels that the vendor's labeller sets on a node; $count and $memory stand for the numbers.
	Labels map[string]string `json:"labels"`
	// Source says where all this was taken from.
	Source string `json:"source"`
}

// Models are all known models, in the order of models.yaml.
func Models() ([]Model, error) {
	var out []Model
	if err := yaml.UnmarshalStrict(data, &out); err != nil {
		return nil, fmt.Errorf("reading GPU models: %w", err)
	}
	return out, nil
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

// Decorate returns the pool with nodes of this model. A number of GPUs, a resource, an architecture and labels
// that the pool has already win over the model's.
func (m Model) Decorate(p nodes.Pool) nodes.Pool {
	if p.GPUs == 0 {
		p.GPUs = m.Count
	}
	if p.GPUResource == "" {
		p.GPUResource = m.Resource
	}
	if p.Arch == "" {
		p.Arch = m.Arch
	}
	labels := make(map[string]string, len(m.Labels)+len(p.Labels))
	for _, k := range slices.Sorted(maps.Keys(m.Labels)) {
		switch v := m.Labels[k]; v {
		case "$count":
			labels[k] = strconv.Itoa(p.GPUs)
		case "$memory":
			labels[k] = strconv.Itoa(m.Memory)
		default:
			labels[k] = v
		}
	}
	maps.Copy(labels, p.Labels)
	p.Labels = labels
	return p
}
