package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"muster/fakes/standing"
)

func TestRefusedDevices(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	for line, want := range map[string]string{
		"up --devices=h1000":                            "a100, gb200, h100, mi300x",
		"up --devices=":                                 "--devices is given without a value",
		"up --partitions":                               "name their model with --devices",
		"up --shares=2":                                 "name their model with --devices",
		"up --devices=h100 --gpus=0":                    "want 1 device",
		"up --devices=h100 --gpus=9":                    "there cannot be 9",
		"up --devices=h100 --shares=-1":                 "devices.shares",
		"up --devices=mi300x --shares=2":                "no shares",
		"up --devices=gb200 --partitions":               "cannot be cut up",
		"up --devices=h100 --gpu-resource=nvidia.com/x": "contradict",
	} {
		err := execute(strings.Fields(line)...)
		if err == nil || codeOf(err) != exitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("muster %s: %v (exit code %d), want exit code 2 and a word about %q", line, err, codeOf(err), want)
		}
	}
}

// TestDevicesReplaceTheResource: a node has its GPUs as a number or as devices, never both.
func TestDevicesReplaceTheResource(t *testing.T) {
	for line, want := range map[string][2]int{"": {8, 0}, "--gpus=3": {3, 0}, "--devices=H100": {0, 0}, "--devices=gb200 --gpus=2": {0, 2}} {
		var f upFlags
		flags := pflag.NewFlagSet("up", pflag.ContinueOnError)
		f.nodeFlags(flags)
		if err := flags.Parse(strings.Fields(line)); err != nil {
			t.Fatal(err)
		}
		if err := f.describeDevices(flags); err != nil {
			t.Fatal(err)
		}
		if got := [2]int{f.spec.Nodes.GPUs, f.spec.Nodes.Devices.Count}; got != want {
			t.Errorf("up %s: %d of the resource and %d devices; want %v", line, got[0], got[1], want)
		}
		if model := f.spec.Nodes.Devices.Model; model != strings.ToLower(model) {
			t.Errorf("model %s", model)
		}
	}
}

func TestReadinessSaysWhatItTook(t *testing.T) {
	r := standing.Record{ReadyAfter: 12.34, VisibleAfter: 8.5, ReadyRSS: 3 << 30, Nodes: 5000, Devices: 40000}
	if got := readiness(r); got != "ready after 12.3 s, with 3072 MiB of memory; 5000 nodes and 40000 devices could be listed after 8.5 s" {
		t.Error(got)
	}
	if got := readyAfter(r); got != "12.3 s (visible 8.5 s)" {
		t.Error(got)
	}
	if got := readyAfter(standing.Record{}); got != "-" {
		t.Error(got)
	}
}
