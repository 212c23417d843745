package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
	"muster/fakes/standing"
)

// backdropFlags ask for nodes beside those of the scenarios.
type backdropFlags struct {
	nodes   int
	devices string
}

func (f *backdropFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.nodes, "backdrop-nodes", 0, "nodes that stand beside those of the scenarios, so that the cluster has a size")
	flags.StringVar(&f.devices, "backdrop-devices", "", "model of their GPUs, as devices for claims: "+models()+" (default: none)")
}

// pool is what the flags ask for; the zero pool where they ask for nothing.
func (f backdropFlags) pool() (nodes.Pool, error) {
	switch {
	case f.nodes < 0 || f.nodes > standing.MaxNodes:
		return nodes.Pool{}, fmt.Errorf("--backdrop-nodes %d: want 0 to %d", f.nodes, standing.MaxNodes)
	case f.nodes == 0 && f.devices != "":
		return nodes.Pool{}, errors.New("--backdrop-devices: there are no nodes to have them; say how many with --backdrop-nodes")
	case f.nodes == 0:
		return nodes.Pool{}, nil
	}
	p := nodes.Pool{Name: "backdrop", Count: f.nodes}
	if f.devices == "" {
		return p, nil
	}
	m, err := gpus.Named(f.devices)
	if err != nil {
		return nodes.Pool{}, fmt.Errorf("--backdrop-devices: %w", err)
	}
	p.Devices.Model = m.Name
	return m.Decorate(p), nil
}
