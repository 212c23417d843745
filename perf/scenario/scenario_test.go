package scenario

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func all(t *testing.T) []Scenario {
	t.Helper()
	ss, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return ss
}

// TestTheNamedScenariosAreThere lists what the design promises.
func TestTheNamedScenariosAreThere(t *testing.T) {
	var have []string
	for _, s := range all(t) {
		have = append(have, s.Name)
	}
	for _, want := range []string{
		"singles", "gangs-of-3", "gangs-of-8", "gangs-of-256", "gangs-of-1000", "basic-groups-of-3", "mixed-gangs",
		"rack-gangs-of-4", "rack-gangs-of-1000", "composites",
		"preemption-100", "preemption-100-by-ten", "preemption-1000", "preemption-5000", "disruption-single", "disruption-all",
		"starvation", "infeasible-gang", "feasible-gangs", "reclaim", "power-of-two", "perfect-fit", "part-filled", "fragmented",
		"tenk-plain", "tenk-10000x1", "tenk-500x20", "tenk-20x500", "tenk-1x10000",
		"devices-gangs-of-8", "devices-churn", "steady-gangs-of-8", "burst-gangs-of-8", "burst-rack-gangs-of-4",
	} {
		if !slices.Contains(have, want) {
			t.Errorf("no scenario %s", want)
		}
	}
	slices.Sort(have)
	if len(slices.Compact(slices.Clone(have))) != len(have) {
		t.Errorf("a name is there twice: %v", have)
	}
}

func TestTwinsExist(t *testing.T) {
	for _, s := range all(t) {
		if s.Twin == "" {
			continue
		}
		twin, err := Named(s.Twin)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		a, errA := s.At(Size{})
		b, errB := twin.At(Size{})
		// What one of them has and the other has not may be what is never bound.
		if errA != nil || errB != nil || a.Counts().Pods-a.Counts().Unbound != b.Counts().Pods-b.Counts().Unbound || a.Nodes != b.Nodes {
			t.Errorf("%s and its twin %s are of different size: %v and %v", s.Name, s.Twin, a.Counts(), b.Counts())
		}
	}
}

// A gang that waits for its own members hides that the scheduler waits for the creator: where the last is a good part of
// the load, and throughput the figure, the load is a backlog.
func TestNoBurstEndsWithAGreatGang(t *testing.T) {
	for _, s := range all(t) {
		if s.Figure != Throughput {
			continue
		}
		for _, p := range s.Phases {
			total, greatest := 0, 0
			for _, g := range p.Groups {
				total += g.Count * g.Leaves() * g.Size()
				if g.Policy == Gang {
					greatest = max(greatest, g.Size())
				}
			}
			if p.Measured && p.Arrival == Burst && 10*greatest >= total {
				t.Errorf("%s: a gang is %d of the %d pods of a burst", s.Name, greatest, total)
			}
		}
	}
}

func TestUpstreamSizes(t *testing.T) {
	for name, want := range map[string]struct{ nodes, groups, pods int }{
		"gangs-of-3": {5000, 1000, 3000}, "gangs-of-1000": {5000, 3, 3000}, "basic-groups-of-3": {5000, 1000, 3000},
		"burst-rack-gangs-of-4": {5000, 750, 3000}, "rack-gangs-of-1000": {5000, 3, 3000},
		"preemption-100": {100, 1, 1100}, "preemption-100-by-ten": {100, 10, 1100}, "preemption-gangs": {100, 6, 600},
		"disruption-single": {1000, 1000, 10100}, "starvation": {10000, 1, 10500},
	} {
		s, err := Named(name)
		if err != nil {
			t.Error(err)
			continue
		}
		sized, err := s.At(Size{})
		if err != nil {
			t.Error(err)
			continue
		}
		if c := sized.Counts(); s.Upstream == "" || s.Nodes != want.nodes || c.Groups != want.groups || c.Pods != want.pods {
			t.Errorf("%s (%s): %d nodes, %+v; want %+v", name, s.Upstream, s.Nodes, c, want)
		}
	}
}

func TestUnknownNameListsWhatThereIs(t *testing.T) {
	_, err := Named("gangs-of-9")
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "gangs-of-8") {
		t.Errorf("%v", err)
	}
}

func TestGates(t *testing.T) {
	for name, want := range map[string][]string{
		"singles": nil, "gangs-of-3": {GateWorkload}, "rack-gangs-of-4": {GateWorkload, GateTopology},
		"composites": {GateWorkload, GateComposite}, "devices-gangs-of-8": {GateWorkload, GateDevices},
	} {
		s, err := Named(name)
		if err != nil || !slices.Equal(s.Gates(), want) {
			t.Errorf("%s: %v, %v; want %v", name, s.Gates(), err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const good = `
- name: x
  about: y
  figure: throughput
  nodes: 10
  node: {cpu: "4"}
  phases:
  - name: load
    measured: true
    groups:
    - {name: g, count: 2, pods: [{count: 3, cpu: 100m}]}
`
	if ss, err := Parse([]byte(good)); err != nil || ss[0].Phases[0].Groups[0].Quorum != 3 || ss[0].Phases[0].Arrival != Burst || ss[0].Node.Pods != 110 {
		t.Fatalf("%+v, %v", ss, err)
	}
	tests := []struct{ name, old, new, says string }{
		{"an unknown field", "about: y", "abuot: y", "abuot"},
		{"no name", "name: x", "name: ''", "needs a name"},
		{"no figure", "figure: throughput", "figure: speed", "figure"},
		{"no nodes", "nodes: 10", "nodes: 0", "0 nodes"},
		{"a million pods ten times over", "count: 2", "count: 20000000", "more than 10000000"},
		{"a named node", `node: {cpu: "4"}`, "node: {name: n}", "is a shape"},
		{"nothing measured", "measured: true", "measured: false", "no phase is measured"},
		{"prepares too late", "  phases:", "  phases:\n  - {name: early, measured: true, groups: [{name: e, count: 1, pods: [{count: 1}]}]}\n  - {name: late, groups: [{name: l, count: 1, pods: [{count: 1}]}]}", "after something was measured"},
		{"perfect, and something else is the figure", "measured: true", "measured: true\n    perfect: true", "occupancy is the figure"},
		{"occupancy of what is not perfect", "figure: throughput", "figure: occupancy", "occupancy is the figure"},
		{"a strange arrival", "measured: true", "measured: true\n    arrival: never", "arrival"},
		{"an open loop without a rate", "measured: true", "measured: true\n    arrival: open", "rate"},
		{"a burst with a rate", "measured: true", "measured: true\n    rate: 5", "rate"},
		{"lives and finishes", "measured: true", "measured: true\n    finish: true\n    livesSeconds: 5", "either live"},
		{"no groups", "groups:\n    - {name: g, count: 2, pods: [{count: 3, cpu: 100m}]}", "groups: []", "creates nothing"},
		{"a nameless group", "name: g", "name: ''", "names are needed"},
		{"no count", "count: 2", "count: 0", "no pods"},
		{"no pods", "count: 3", "count: 0", "no pods"},
		{"grows and does not", "count: 2", "count: 2, perNode: true, fixed: true", "cannot both"},
		{"scaled twice", "count: 2", "count: 2, scaled: true", "follow the scale already"},
		{"a strange policy", "count: 2", "count: 2, policy: some", "policy"},
		{"a quorum beyond", "count: 2", "count: 2, quorum: 4", "quorum of 4 of 3"},
		{"a basic quorum", "count: 2", "count: 2, policy: basic, quorum: 2", "only gangs"},
		{"plain and apart by rack", "count: 2", "count: 2, policy: plain, topology: rack", "plain pods"},
		{"a strange topology", "count: 2", "count: 2, topology: row", "topology"},
		{"bound strangely", "count: 2", "count: 2, bound: tight", "bound"},
		{"bound and never", "count: 2", "count: 2, bound: pack, unbound: true", "both"},
		{"too deep", "count: 2", "count: 2, tree: [1, 1, 1, 1]", "three levels"},
		{"a barren tree", "count: 2", "count: 2, tree: [0]", "1…1000 children"},
		{"no quantity", "cpu: 100m", "cpu: much", "much"},
		{"negative", "cpu: 100m", "gpus: -1", "negative"},
		{"differs from nothing", "about: y", "about: y\n  differs: much", "does not name"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			raw := strings.Replace(good, tc.old, tc.new, 1)
			if raw == good {
				t.Fatal("the case changes nothing")
			}
			if _, err := Parse([]byte(raw)); err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%v; want …%s…", err, tc.says)
			}
		})
	}
	if _, err := Parse([]byte(strings.Replace(good, "    - {name: g", "    - {name: g, count: 1, pods: [{count: 1}]}\n    - {name: g", 1))); err == nil {
		t.Error("two groups of one name")
	}
}
