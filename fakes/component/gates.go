package component

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// gateLine is one gate as fakes/cluster/gates.json holds it.
type gateLine struct {
	Name    string   `json:"name"`
	Stage   string   `json:"stage"` // GA, BETA, ALPHA or DEPRECATED
	Default bool     `json:"default"`
	Locked  bool     `json:"locked,omitempty"`
	Needs   []string `json:"needs,omitempty"`
}

// gates prints every feature gate the linked Kubernetes knows, with its dependencies, as JSON. fakes/cluster embeds
// that output (it may not import Kubernetes), and a verifier compares the two.
func gates([]string) int {
	registry := utilfeature.DefaultMutableFeatureGate
	needs := registry.Dependencies()
	var lines []string
	for name, spec := range registry.GetAll() {
		if name == "AllAlpha" || name == "AllBeta" {
			continue
		}
		g := gateLine{Name: string(name), Stage: string(spec.PreRelease), Default: spec.Default, Locked: spec.LockToDefault}
		if spec.PreRelease == featuregate.GA {
			g.Stage = "GA"
		}
		for _, n := range needs[name] {
			g.Needs = append(g.Needs, string(n))
		}
		slices.Sort(g.Needs)
		line, err := json.Marshal(g)
		if err != nil {
			fmt.Fprintf(os.Stderr, "writing gate %s: %v\n", name, err)
			return 1
		}
		lines = append(lines, string(line))
	}
	slices.Sort(lines)
	fmt.Printf("[\n%s\n]\n", strings.Join(lines, ",\n"))
	return 0
}
