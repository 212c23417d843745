package scenario

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestSizesThatMakeNoSense(t *testing.T) {
	tests := []struct {
		name string
		size Size
		says string
	}{
		{"gangs-of-3", Size{Nodes: -1}, "-1 nodes"},
		{"gangs-of-3", Size{Scale: -1}, "scale -1"},
		{"gangs-of-3", Size{Scale: math.NaN()}, "NaN"},
		{"gangs-of-3", Size{Scale: 1e300}, "would have"},
		{"preemption-5000", Size{Nodes: 1_000_001}, "1000001 nodes"},
		{"gangs-of-3", Size{Nodes: 20}, "take more nodes, or a smaller scale"},
		{"gangs-of-256", Size{Nodes: 4}, "its 256 pods ask for"},
		{"tenk-1x10000", Size{Nodes: 100}, "take more nodes"},
		{"perfect-fit", Size{Nodes: 100}, "a multiple of 8 nodes"},
		{"fragmented", Size{Nodes: 501}, "a multiple of 2 nodes"},
		{"rack-gangs-of-1000", Size{Nodes: 10}, "take more nodes"},
		{"preemption-100", Size{Scale: 0.5}, "a scale of 0.5 changes nothing that preemption-100 measures"},
		{"tenk-1x10000", Size{Nodes: 1000, Scale: 2}, "changes nothing"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, err := Named(tc.name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.At(tc.size); !errors.Is(err, ErrSize) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%+v: %v; want …%s…", tc.size, err, tc.says)
			}
		})
	}
}

// Whether a scale has an effect is what the data say, and a scale that has none is refused.
func TestScales(t *testing.T) {
	for _, s := range all(t) {
		one, err := s.At(Size{})
		if err != nil {
			t.Fatal(err)
		}
		half, err := s.At(Size{Scale: 0.5})
		if !s.Scales() {
			if !errors.Is(err, ErrSize) {
				t.Errorf("%s does not scale, and was given half a scale: %v", s.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		a, b := one.Counts(), half.Counts()
		if a.Pods-a.Background <= b.Pods-b.Background {
			t.Errorf("%s: %+v is measured at half the scale of %+v", s.Name, b, a)
		}
	}
}

func TestChecksOfOneGroup(t *testing.T) {
	const frame = `
- name: x
  about: y
  figure: throughput
  nodes: 10
  node: {cpu: "4", gpus: 2, nodesPerRack: NPR}
  phases:
  - name: load
    measured: true
    groups:
    - {name: g, count: 1, GROUP}
`
	tests := []struct{ name, group, says string }{
		{"fits", "pods: [{count: 20, gpus: 1}]", ""},
		{"a pod larger than a node", "pods: [{count: 1, gpus: 3}]", "a pod asks for 3 of gpus where a node has 2"},
		{"a gang larger than the cluster", "pods: [{count: 21, gpus: 1}]", "its 21 pods ask for 21 of gpus"},
		{"infeasible and so meant", "unbound: true, pods: [{count: 21, gpus: 1}]", ""},
		{"infeasible for one pod", "unbound: true, pods: [{count: 1, gpus: 1}, {count: 1, gpus: 3}]", ""},
		{"meant to be infeasible, and is not", "unbound: true, pods: [{count: 20, gpus: 1}]", "have room for it"},
		{"apart", "apart: true, pods: [{count: 10}]", ""},
		{"apart on too few", "apart: true, pods: [{count: 11}]", "need a node each"},
		{"apart, and more groups than ports", "apart: true, tree: [101, 100], pods: [{count: 1}]", "need a host port each"},
		{"apart on too few, and so meant", "apart: true, unbound: true, pods: [{count: 11}]", ""},
		{"in a rack", "topology: rack, pods: [{count: 4, gpus: 1}]", ""},
		{"too large for a rack", "topology: rack, pods: [{count: 5, gpus: 1}]", "more gpus than a rack has"},
		{"in a zone without zones", "topology: zone, pods: [{count: 5, gpus: 1}]", "zone"},
		{"slots", "pods: [{count: 1101}]", "of pods"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			raw := strings.Replace(strings.Replace(frame, "GROUP", tc.group, 1), "NPR", "2", 1)
			ss, err := Parse([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			_, err = ss[0].At(Size{})
			if tc.says == "" && err != nil || tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("%v; want %q", err, tc.says)
			}
		})
	}
	ss, err := Parse([]byte(strings.Replace(strings.Replace(frame, "GROUP", "topology: rack, pods: [{count: 1}]", 1), "NPR", "0", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ss[0].At(Size{}); err == nil || !strings.Contains(err.Error(), "have none") {
		t.Errorf("a rack without racks: %v", err)
	}
}
