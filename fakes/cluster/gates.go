package cluster

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Gate is a feature gate of Kubernetes 1.37.2.
type Gate struct {
	Name string `json:"name"`
	// Stage is GA, BETA, ALPHA, DEPRECATED or PRE-ALPHA.
	Stage   string `json:"stage"`
	Default bool   `json:"default"`
	// Locked gates cannot be moved from their default.
	Locked bool `json:"locked,omitempty"`
	// Needs are the gates it depends on: a component refuses to start with a gate on and one of these off.
	Needs []string `json:"needs,omitempty"`
}

// gatesJSON is the output of `bin/muster component gates`: the registry of the very Kubernetes that is linked.
//
//go:embed gates.json
var gatesJSON []byte

var knownGates = sync.OnceValue(func() map[string]Gate {
	var list []Gate
	if err := json.Unmarshal(gatesJSON, &list); err != nil {
		panic(fmt.Sprintf("cluster: gates.json, which is part of this binary, cannot be read: %v", err))
	}
	out := make(map[string]Gate, len(list))
	for _, g := range list {
		out[g.Name] = g
	}
	return out
})

// KnownGates are all gates, sorted by name.
func KnownGates() []Gate {
	return slices.SortedFunc(maps.Values(knownGates()), func(a, b Gate) int { return strings.Compare(a.Name, b.Name) })
}

// DefaultGates are the gates of workload-aware scheduling, all on: what muster judges unless told otherwise.
func DefaultGates() map[string]bool {
	return map[string]bool{
		"GenericWorkload":                 true,
		"TopologyAwareWorkloadScheduling": true,
		"DRAWorkloadResourceClaims":       true,
		"CompositePodGroup":               true,
		"PodGroupPreemptionPolicy":        true,
		"WorkloadWithJob":                 true,
	}
}

// removedGates are gates of 1.36 that a reader of its documentation would try; a component given one of them refuses
// to start.
var removedGates = map[string]string{
	"GangScheduling":          "GenericWorkload",
	"WorkloadAwarePreemption": "GenericWorkload",
}

// Resolution is a consistent set of gates.
type Resolution struct {
	// Gates in force, every known one by name.
	Gates map[string]bool
	// Notes say which gates went off with one they depend on, a sentence each, for the report.
	Notes []string
}

// Flag is the value for --feature-gates: what differs from Kubernetes' defaults, sorted. Empty where nothing does.
func (r Resolution) Flag() string { return gatesFlag(NotDefault(r.Gates)) }

// NotDefault are the gates whose value is not Kubernetes' default: what a report shows of a full set.
func NotDefault(gates map[string]bool) map[string]bool {
	out := map[string]bool{}
	for name, on := range gates {
		if g, ok := knownGates()[name]; !ok || g.Default != on {
			out[name] = on
		}
	}
	return out
}

func gatesFlag(gates map[string]bool) string {
	parts := make([]string, 0, len(gates))
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		parts = append(parts, fmt.Sprintf("%s=%t", name, gates[name]))
	}
	return strings.Join(parts, ",")
}

// ResolveGates lays the wanted gates over base (DefaultGates, or the control plane's gates for a scheduler's own) and
// over Kubernetes' defaults, and switches off what depends on a gate that is off, as a component would otherwise
// refuse to start. AllAlpha and AllBeta are understood as Kubernetes does: explicit gates win over them.
//
// It refuses names that do not exist (naming the nearest that do), gates that are locked, and a gate wanted on while
// something it needs is off: there the user has to say what is meant.
func ResolveGates(base, want map[string]bool) (Resolution, error) {
	known := knownGates()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(want)) {
		g, ok := known[name]
		switch {
		case name == "AllAlpha" || name == "AllBeta":
		case !ok:
			errs = append(errs, unknownGate(name))
		case g.Locked && want[name] != g.Default:
			errs = append(errs, fmt.Errorf("feature gate %s is locked to %t in 1.37", name, g.Default))
		}
	}
	if len(errs) > 0 {
		return Resolution{}, errors.Join(errs...)
	}

	r := Resolution{Gates: make(map[string]bool, len(known))}
	for name, g := range known {
		r.Gates[name] = initial(g, base, want)
	}
	// Off spreads until nothing changes. The order of names makes the notes the same every time.
	for changed := true; changed; {
		changed = false
		for _, g := range KnownGates() {
			off := firstOff(g.Needs, r.Gates)
			if !r.Gates[g.Name] || off == "" {
				continue
			}
			switch {
			case want[g.Name]:
				errs = append(errs, fmt.Errorf("feature gate %s needs %s, which is off: add %s=true or leave %s away",
					g.Name, off, off, g.Name))
			case g.Locked:
				errs = append(errs, fmt.Errorf("feature gate %s cannot be off: %s needs it and is locked to on", off, g.Name))
			default:
				r.Notes = append(r.Notes, fmt.Sprintf("%s is off because it needs %s, which is off", g.Name, off))
			}
			r.Gates[g.Name], changed = false, true
		}
	}
	return r, errors.Join(errs...)
}

// initial is a gate's value before dependencies are looked at.
func initial(g Gate, base, want map[string]bool) bool {
	if on, ok := want[g.Name]; ok {
		return on
	}
	if all, ok := want["All"+map[string]string{"ALPHA": "Alpha", "BETA": "Beta"}[g.Stage]]; ok && !g.Locked {
		return all
	}
	if on, ok := base[g.Name]; ok {
		return on
	}
	return g.Default
}

func firstOff(needs []string, gates map[string]bool) string {
	for _, n := range needs {
		if !gates[n] {
			return n
		}
	}
	return ""
}

func unknownGate(name string) error {
	if instead, ok := removedGates[name]; ok {
		return fmt.Errorf("feature gate %s no longer exists in 1.37: it is part of %s", name, instead)
	}
	return fmt.Errorf("unknown feature gate %q; the nearest are %s", name,
		strings.Join(Nearest(name, slices.Collect(maps.Keys(knownGates())), 3), ", "))
}

// ParseGates reads K=V,… as the component flags do.
func ParseGates(s string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		on, known := map[string]bool{"true": true, "false": false}[strings.ToLower(strings.TrimSpace(value))]
		name = strings.TrimSpace(name)
		if !ok || !known || name == "" {
			return nil, fmt.Errorf("reading gates: %q is not NAME=true or NAME=false", part)
		}
		if was, twice := out[name]; twice && was != on {
			return nil, fmt.Errorf("reading gates: %s is given both as true and as false", name)
		}
		out[name] = on
	}
	return out, nil
}
