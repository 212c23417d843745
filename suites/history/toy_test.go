package history

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/workloads/dialect"
)

// toy is a dialect of gangs that exist nowhere else.
type toy struct{}

func (toy) Name() string { return "toy" }

func (toy) Read(obj map[string]any, gvr schema.GroupVersionResource) (dialect.Group, bool) {
	if gvr.Resource != "gangs" {
		return dialect.Group{}, false
	}
	num := func(k string) int64 { n, _ := obj[k].(int64); return n }
	text := func(k string) string { s, _ := obj[k].(string); return s }
	g := dialect.Group{Quorum: int32(num("quorum")), Basic: num("quorum") == 0, Priority: int32(num("priority")),
		TopologyKey: text("topology")}
	if s := text("satisfied"); s != "" {
		g.Satisfied = dialect.Condition{Status: s}
		g.Conditions = map[string]dialect.Condition{"Satisfied": g.Satisfied}
	}
	if p := text("problem"); p != "" {
		g.Problems = []string{p}
	}
	return g, true
}

func (toy) Member(p *corev1.Pod) (string, bool) { return p.Labels["gang"], p.Labels["gang"] != "" }
