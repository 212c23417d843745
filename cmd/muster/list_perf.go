package main

import (
	"errors"

	"github.com/jedib0t/go-pretty/v6/table"

	"muster/perf/scenario"
	"muster/reports/write"
)

// listedLoad is a performance scenario as it is listed.
type listedLoad struct {
	Name     string          `json:"name"`
	About    string          `json:"about"`
	Figure   scenario.Figure `json:"figure"`
	Nodes    int             `json:"nodes"`
	Pods     int             `json:"pods"`
	Groups   int             `json:"groups"`
	Upstream string          `json:"upstream,omitempty"`
	Differs  string          `json:"differs,omitempty"`
	Twin     string          `json:"twin,omitempty"`
	// Scales: --scale changes what is measured; else only --nodes does.
	Scales bool `json:"scales"`
	// MemoryGiB is what it is estimated to take in its own size.
	MemoryGiB float64 `json:"memoryGiB"`
}

// listPerf lists the performance scenarios in their own sizes.
func listPerf(o listing) (any, table.Writer, error) {
	if len(o.profiles) > 0 {
		return nil, nil, usage(errors.New("--profile: profiles are of requirements; performance scenarios belong to none"))
	}
	all, err := scenario.All()
	if err != nil {
		return nil, nil, err
	}
	t := wrapped(write.NewTable("NAME", "FIGURE", "NODES", "PODS", "GROUPS", "SCALES", "ABOUT"), 74, "ABOUT")
	out := []listedLoad{}
	for _, s := range all {
		sized, err := s.At(scenario.Size{})
		if err != nil {
			return nil, nil, err
		}
		c := sized.Counts()
		l := listedLoad{
			Name: s.Name, About: s.About, Figure: s.Figure, Nodes: sized.Nodes, Pods: c.Pods, Groups: c.Groups,
			Upstream: s.Upstream, Differs: s.Differs, Twin: s.Twin, Scales: s.Scales(), MemoryGiB: float64(sized.Memory()) / (1 << 30),
		}
		out = append(out, l)
		scales := "yes"
		if !l.Scales {
			scales = "no"
		}
		t.AppendRow(table.Row{l.Name, l.Figure, l.Nodes, l.Pods, l.Groups, scales, l.About})
	}
	return out, t, nil
}
