package cluster

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestResolveGates(t *testing.T) {
	type gates = map[string]bool
	for name, c := range map[string]struct {
		base, want gates
		on, off    []string
		notes      int
		err        string
	}{
		"defaults": {base: DefaultGates(), on: slices.Collect(maps.Keys(DefaultGates()))},
		"no base":  {on: []string{"DynamicResourceAllocation"}, off: []string{"GenericWorkload"}},
		"leaf off": {base: DefaultGates(), want: gates{"CompositePodGroup": false}, on: []string{"GenericWorkload"}, off: []string{"CompositePodGroup"}},
		"middle off": {base: DefaultGates(), want: gates{"TopologyAwareWorkloadScheduling": false},
			on: []string{"GenericWorkload", "WorkloadWithJob"}, off: []string{"CompositePodGroup"}, notes: 1},
		"root off": {base: DefaultGates(), want: gates{"GenericWorkload": false},
			off: slices.Collect(maps.Keys(DefaultGates())), notes: 5},
		"another one on": {base: DefaultGates(), want: gates{"DRAResourcePoolStatus": true}, on: []string{"DRAResourcePoolStatus", "GenericWorkload"}},
		"a default off":  {base: DefaultGates(), want: gates{"SchedulerAsyncPreemption": false}, off: []string{"SchedulerAsyncPreemption"}},
		"all alpha off": {base: DefaultGates(), want: gates{"AllAlpha": false},
			on: []string{"GenericWorkload", "DRAWorkloadResourceClaims"}, off: []string{"CompositePodGroup", "WorkloadWithJob"}},
		"all beta off, one kept": {base: DefaultGates(), want: gates{"AllBeta": false, "GenericWorkload": true, "WorkloadWithJob": true},
			on: []string{"GenericWorkload", "WorkloadWithJob"}, off: []string{"DRAWorkloadResourceClaims"}, notes: -1},
		"contradiction": {base: DefaultGates(), want: gates{"GenericWorkload": false, "WorkloadWithJob": true}, err: "WorkloadWithJob needs GenericWorkload"},
		"needs more":    {want: gates{"CompositePodGroup": true}, err: "CompositePodGroup needs"},
		"unknown":       {want: gates{"GenericWorkloads": true}, err: "nearest are GenericWorkload"},
		"case":          {want: gates{"genericworkload": true}, err: "nearest are GenericWorkload"},
		"removed":       {want: gates{"GangScheduling": true}, err: "part of GenericWorkload"},
		"locked":        {want: gates{"DynamicResourceAllocation": false}, err: "locked to true"},
		"locked, right": {base: DefaultGates(), want: gates{"DynamicResourceAllocation": true}, on: []string{"DynamicResourceAllocation"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := ResolveGates(c.base, c.want)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one with %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range c.on {
				if !r.Gates[g] {
					t.Errorf("%s is off", g)
				}
			}
			for _, g := range c.off {
				if r.Gates[g] {
					t.Errorf("%s is on", g)
				}
			}
			if c.notes >= 0 && len(r.Notes) != c.notes {
				t.Errorf("%d notes, want %d: %q", len(r.Notes), c.notes, r.Notes)
			}
		})
	}
}

func TestGatesFlagOfTheDefaults(t *testing.T) {
	r, err := ResolveGates(DefaultGates(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(NotDefault(r.Gates), DefaultGates()) {
		t.Errorf("what differs from Kubernetes' defaults is %v, want the six gates", NotDefault(r.Gates))
	}
	if want := "CompositePodGroup=true,DRAWorkloadResourceClaims=true,GenericWorkload=true," +
		"PodGroupPreemptionPolicy=true,TopologyAwareWorkloadScheduling=true,WorkloadWithJob=true"; r.Flag() != want {
		t.Errorf("flag %q, want %q", r.Flag(), want)
	}
}

// Whatever is asked for, either it is refused or a component would start with the outcome: nothing is on without what
// it needs, everything asked for has been heeded, and asking for the outcome again changes nothing.
func TestResolvedGatesAreConsistent(t *testing.T) {
	names := make([]string, 0, len(knownGates()))
	for _, g := range KnownGates() {
		if !g.Locked {
			names = append(names, g.Name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOfN(rapid.SampledFrom(names), rapid.Bool(), 0, 6).Draw(t, "want")
		r, err := ResolveGates(DefaultGates(), want)
		if err != nil {
			if !strings.Contains(err.Error(), "needs") {
				t.Fatalf("refused for another reason than a dependency: %v", err)
			}
			return
		}
		for _, g := range KnownGates() {
			if need := firstOff(g.Needs, r.Gates); r.Gates[g.Name] && need != "" {
				t.Fatalf("%s is on although %s is off", g.Name, need)
			}
			if r.Gates[g.Name] != g.Default && g.Locked {
				t.Fatalf("%s is locked and was moved", g.Name)
			}
		}
		for name, on := range want {
			if r.Gates[name] != on {
				t.Fatalf("%s=%t was asked for and not heeded", name, on)
			}
		}
		again, err := ResolveGates(r.Gates, nil)
		if err != nil || !maps.Equal(again.Gates, r.Gates) || len(again.Notes) > 0 {
			t.Fatalf("resolving the outcome again changed it: %v, %q", err, again.Notes)
		}
	})
}

func TestParseGates(t *testing.T) {
	got, err := ParseGates(" A=true, B=False ,,C=TRUE")
	if want := map[string]bool{"A": true, "B": false, "C": true}; err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, bad := range []string{"A", "A=", "A=yes", "A=true,A=false", "=true", " =false"} {
		if _, err := ParseGates(bad); err == nil {
			t.Errorf("ParseGates(%q): no error", bad)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"gang", "basic", "conditions", "gang-large"}
	for name, want := range map[string]string{"gnag": "gang", "GANG": "gang", "condition": "conditions", "": "gang", "basci": "basic"} {
		if got := Nearest(name, names, 1); len(got) != 1 || got[0] != want {
			t.Errorf("nearest to %q is %q, want %s", name, got, want)
		}
	}
	long := []string{"api-priority", "job-deleted", "gang-short-of-one-slot", "gang-scheduler-restart-half-bound"}
	for name, want := range map[string]string{"gang-shortt": "gang-short-of-one-slot", "gang-schedler": "gang-scheduler-restart-half-bound", "job-deletd": "job-deleted"} {
		if got := Nearest(name, long, 1); got[0] != want {
			t.Errorf("nearest to %q is %q, want %s: people write the beginning", name, got, want)
		}
	}
	if got := Nearest("x", names[:1], 3); len(got) != 1 {
		t.Errorf("three of one name: %q", got)
	}
}

func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-d]{0,6}`)
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		d := Distance(a, b)
		switch {
		case d != Distance(b, a):
			t.Fatal("the way back is of another length")
		case (d == 0) != (a == b):
			t.Fatalf("distance %d", d)
		case d > max(len(a), len(b)) || d < max(len(a), len(b))-min(len(a), len(b)):
			t.Fatalf("distance %d is out of bounds", d)
		case d > Distance(a, c)+Distance(c, b):
			t.Fatal("a detour is shorter")
		}
	})
}

// gates.json is what the linked Kubernetes says of itself.
func TestGatesAreThoseOfTheBinary(t *testing.T) {
	binary := os.Getenv("MUSTER_BIN")
	if binary == "" {
		t.Skip("set MUSTER_BIN to the built binary to compare gates.json with the Kubernetes inside it")
	}
	out, err := exec.Command(binary, "component", "gates").Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(gatesJSON) {
		t.Error("gates.json differs from what the binary says: bin/muster component gates > fakes/cluster/gates.json")
	}
}
