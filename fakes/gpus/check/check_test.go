package check

import (
	"strings"
	"testing"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

func TestEveryModelHolds(t *testing.T) {
	models, err := gpus.Models()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		r, err := Model(t.Context(), m)
		if err != nil {
			t.Error(err)
		}
		if r.Classes == 0 || r.Devices < m.Count || r.Evaluations < r.Devices {
			t.Errorf("model %s: looked at %+v", m.Name, r)
		}
	}
}

// TestBrokenModelsAreNamed: the error says which model, class and device, and why.
func TestBrokenModelsAreNamed(t *testing.T) {
	good, err := gpus.Named("h100")
	if err != nil {
		t.Fatal(err)
	}
	drivers := func(expression string) map[string]gpus.Driver {
		return map[string]gpus.Driver{"gpu.nvidia.com": {Driver: "gpu.nvidia.com", Classes: []gpus.Class{{Name: "gpu.nvidia.com", Expression: expression}}}}
	}
	const fine = "device.driver == '$driver'"
	for name, tc := range map[string]struct {
		change  func(*gpus.Model)
		drivers map[string]gpus.Driver
		want    []string
	}{
		"as it is":     {nil, drivers(fine), nil},
		"no such key":  {nil, drivers("device.attributes['$domain'].flavour == 'gpu'"), []string{"model h100", "class gpu.nvidia.com", "device gpu-0 ", "no such key: flavour"}},
		"wrong type":   {nil, drivers("device.attributes['$domain'].type > 5"), []string{"model h100", "class gpu.nvidia.com", "device gpu-0 ", "no such overload"}},
		"no CEL":       {nil, drivers("device.driver = 'x'"), []string{"model h100", "class gpu.nvidia.com", "compiling"}},
		"no bool":      {nil, drivers("device.driver"), []string{"class gpu.nvidia.com", "bool"}},
		"selects none": {nil, drivers("device.driver == 'other'"), []string{"no class selects device gpu-0 of driver gpu.nvidia.com"}},
		"no classes":   {nil, nil, []string{"model h100", "driver gpu.nvidia.com has no classes"}},
		"no source": {func(m *gpus.Model) {
			m.Publications[0].Attributes = map[string]gpus.Attribute{"type": {String: "gpu", Source: "hearsay"}}
		}, drivers(fine), []string{"model h100", "attribute type", `"hearsay"`}},
		"no value": {func(m *gpus.Model) {
			m.Publications[0].Attributes = map[string]gpus.Attribute{"type": {Source: "driver"}}
		}, drivers(fine), []string{"model h100", "attribute type", "no value"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := good
			m.Publications = append([]gpus.Publication(nil), good.Publications...)
			if tc.change != nil {
				tc.change(&m)
			}
			_, err := Against(t.Context(), m, tc.drivers)
			if (err == nil) != (tc.want == nil) {
				t.Fatalf("error %v; want parts %q", err, tc.want)
			}
			for _, part := range tc.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
}

func TestPoolsAreRefusedByName(t *testing.T) {
	fine := nodes.Pool{Name: "fine", Count: 1, Devices: nodes.Devices{Model: "mi300x"}}
	if err := Pools(t.Context(), fine, nodes.Pool{Name: "none"}); err != nil {
		t.Error(err)
	}
	err := Pools(t.Context(), fine, nodes.Pool{Name: "odd", Devices: nodes.Devices{Model: "h1000"}}, nodes.Pool{Name: "many", Devices: nodes.Devices{Model: "h100", Count: 9}},
		nodes.Pool{Name: "cut", Devices: nodes.Devices{Model: "gb200", Partitions: true}}, nodes.Pool{Name: "split", Devices: nodes.Devices{Model: "mi300x", Shares: 2}})
	for _, part := range []string{`pool "odd"`, "h1000", "mi300x", `pool "many"`, "9", `pool "cut"`, "cannot be cut up", `pool "split"`, "no shares"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v lacks %q", err, part)
		}
	}
}
