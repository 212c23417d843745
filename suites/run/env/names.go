package env

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
)

// unique is what a scenario writes where it wants a topology key of its own.
const unique = "unique"

// short is a name for everything that belongs to the scenario: at most 40 characters, a DNS label, unique to scenario
// and run.
func short(scenario, run string) string {
	sum := sha256.Sum256([]byte(scenario + "/" + run))
	tag := hex.EncodeToString(sum[:3])
	name := strings.Trim(scenario, "-")
	if len(name) > 33 {
		name = strings.TrimRight(name[:33], "-")
	}
	return name + "-" + tag
}

// SeedOf is the seed of one scenario: it depends on the run's seed and the scenario's name alone, so that a scenario
// run by itself draws what it drew among others.
func SeedOf(run int64, scenario string) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s", run, scenario))
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// Belongs tells what a run with a tag has made for these scenarios from everything else in its cluster, by the namespace of
// an object, or its name where it has none: both begin with a name that is unique to scenario and run.
func Belongs(scenarios []string, run string) func(scope string) bool {
	names := map[string]bool{}
	for _, s := range scenarios {
		names[short(s, run)] = true
	}
	return func(scope string) bool {
		for end := 0; end < len(scope); end++ {
			if scope[end] == '-' && names[scope[:end]] {
				return true
			}
		}
		return names[scope]
	}
}

// ScopeOf is what belongs to a scenario in a run whose objects carry the tag run.
func ScopeOf(s suites.Scenario, run string, seed int64, profile history.SchedulerProfile) history.Scope {
	base := short(s.Name, run)
	scope := history.Scope{
		Scenario:   s.Name,
		Namespaces: []string{base},
		Pools:      map[string]string{},
		Names:      map[string]string{},
		Seed:       seed,
		SettleRoot: profile.SettleRoot,
		SettleBase: profile.SettleBase,
		Isolation:  string(s.Isolation),
	}
	for _, p := range s.Needs.Pools {
		scope.Pools[p.Name] = base + "-" + p.Name
		for _, k := range []struct{ kind, key string }{{"rack", p.RackKey}, {"zone", p.ZoneKey}} {
			if k.key == unique {
				scope.Names["topology/"+p.Name+"/"+k.kind] = "muster.dev/" + base + "-" + k.kind
			}
		}
	}
	for _, class := range slices.Sorted(maps.Keys(s.Needs.PriorityClasses)) {
		scope.Names["priorityclass/"+class] = base + "-" + class
	}
	return scope
}

// realPool is the pool under its real name, with real topology keys, and with devices of a scope of its own.
func realPool(p nodes.Pool, scope history.Scope) nodes.Pool {
	if key, ok := scope.Names["topology/"+p.Name+"/rack"]; ok {
		p.RackKey = key
	}
	if key, ok := scope.Names["topology/"+p.Name+"/zone"]; ok {
		p.ZoneKey = key
	}
	p.Name = scope.Pools[p.Name]
	if p.Devices.Model != "" { // classes are the cluster's; every scenario has its own
		p.Devices.Scope = scope.Namespaces[0]
	}
	return p
}
