package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// models that there are, for the help.
func models() string {
	all, err := gpus.Models()
	if err != nil {
		return "" // they are part of the binary; whoever asks for one is told
	}
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

// nodeFlags are those about the nodes and what they have.
func (f *upFlags) nodeFlags(flags *pflag.FlagSet) {
	flags.IntVar(&f.spec.Nodes.Count, "nodes", 16, "how many nodes")
	flags.IntVar(&f.spec.Nodes.GPUs, "gpus", 8, "GPUs a node")
	flags.StringVar(&f.spec.Nodes.GPUResource, "gpu-resource", "nvidia.com/gpu", "name of the extended resource")
	flags.StringVar(&f.devices.Model, "devices", "", "let the GPUs be devices for claims (DRA) of a model, instead of a number of the extended resource: "+models())
	flags.BoolVar(&f.devices.Partitions, "partitions", false, "publish each device also in the pieces it can be cut into")
	flags.IntVar(&f.devices.Shares, "shares", 0, "let so many claims share a device (0: none do)")
	flags.StringVar(&f.spec.Nodes.CPU, "cpu", "64", "CPU a node")
	flags.StringVar(&f.spec.Nodes.Memory, "memory", "512Gi", "memory a node")
	flags.IntVar(&f.spec.Nodes.Pods, "pods", 110, "pods a node")
	flags.IntVar(&f.spec.Nodes.NodesPerRack, "nodes-per-rack", 0, "nodes a rack, as label "+nodes.RackLabel+" (0: no racks)")
	flags.IntVar(&f.spec.Nodes.RacksPerZone, "racks-per-zone", 0, "racks a zone, as label "+nodes.ZoneLabel+" (0: no zones)")
}

// describeDevices turns the pool's GPUs into devices where a model is named. --gpus is then their number, by default that of
// the model's usual node.
func (f *upFlags) describeDevices(flags *pflag.FlagSet) error {
	if f.spec.Nodes.Pods < 1 {
		return fmt.Errorf("--pods %d: want room for 1 pod a node or more", f.spec.Nodes.Pods)
	}
	if f.devices.Model == "" {
		for _, name := range []string{"partitions", "shares"} {
			if flags.Changed(name) {
				return fmt.Errorf("--%s is about devices: name their model with --devices (%s)", name, models())
			}
		}
		return nil
	}
	if flags.Changed("gpu-resource") {
		return errors.New("--gpu-resource and --devices contradict each other: the GPUs of a node are either a number of an extended resource, or devices")
	}
	m, err := gpus.Named(f.devices.Model)
	if err != nil {
		return fmt.Errorf("--devices: %w", err)
	}
	f.devices.Model = m.Name
	if flags.Changed("gpus") {
		if f.spec.Nodes.GPUs < 1 {
			return fmt.Errorf("--gpus %d with --devices %s: want 1 device a node or more", f.spec.Nodes.GPUs, m.Name)
		}
		f.devices.Count = f.spec.Nodes.GPUs
	}
	f.spec.Nodes.GPUs, f.spec.Nodes.GPUResource = 0, ""
	f.spec.Nodes.Devices = f.devices
	f.spec.Nodes = m.Decorate(f.spec.Nodes)
	return nil
}
