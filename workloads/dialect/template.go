package dialect

import (
	"maps"
	"strings"

	"muster/workloads/build"
)

// when is the key of a map that keeps or drops the whole map; value is the key of what the map stands for, if not
// itself.
const (
	when  = "$when"
	value = "$value"
)

// variables are what templates may mention.
type variables map[string]any

// vars are the variables of a gang. Empty ones are present too, so that a template that mentions them is legal.
func vars(g build.Gang) variables {
	quorum := int64(g.Quorum)
	if g.Policy == build.BasicPolicy {
		quorum = 0
	}
	labels := make(map[string]any, len(g.Labels))
	for k, v := range g.Labels {
		labels[k] = v
	}
	return variables{
		"name": g.Name, "namespace": g.Namespace,
		"basic": g.Policy == build.BasicPolicy, "quorum": quorum,
		"priorityClass": g.PriorityClass, "queue": g.Queue,
		"topologyKey": g.TopologyKey, "disruptAll": g.DisruptAll, "labels": labels,
		"resourceClaims": devices(g.Devices), "workload": g.Workload, "template": g.Template, "schedulerName": g.SchedulerName, "parent": g.Parent,
	}
}

// empty reports whether the variable says nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case int64:
		return v == 0
	case bool:
		return !v
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == nil
}

// devices are the entries of a group's resourceClaims, as Kubernetes writes them.
func devices(claims []build.DeviceClaim) []any {
	var out []any
	for _, c := range claims {
		entry := map[string]any{"name": c.Name}
		if c.Claim != "" {
			entry["resourceClaimName"] = c.Claim
		}
		if c.Template != "" {
			entry["resourceClaimTemplateName"] = c.Template
		}
		out = append(out, entry)
	}
	return out
}

// expand copies a tree that lint has accepted, with its variables replaced. keep is false where the node disappears.
func (vs variables) expand(node any) (out any, keep bool) {
	switch node := node.(type) {
	case string:
		return vs.expandText(node)
	case map[string]any:
		return vs.expandMap(node)
	case []any:
		list := make([]any, 0, len(node))
		for _, e := range node {
			if v, keep := vs.expand(e); keep {
				list = append(list, v)
			}
		}
		return list, true
	}
	return node, true
}

func (vs variables) expandText(s string) (any, bool) {
	if rest, ok := strings.CutPrefix(s, "$$"); ok {
		return "$" + rest, true
	}
	name, ok := strings.CutPrefix(s, "$")
	if !ok {
		return s, true
	}
	v := vs[name]
	if m, ok := v.(map[string]any); ok {
		v = maps.Clone(m)
	}
	return v, !empty(v)
}

func (vs variables) expandMap(m map[string]any) (any, bool) {
	if cond, ok := m[when].(string); ok {
		name, inverted := strings.CutPrefix(cond, "!")
		if empty(vs[name]) != inverted {
			return nil, false
		}
	}
	if stand, ok := m[value]; ok {
		return vs.expand(stand)
	}
	out := make(map[string]any, len(m))
	for k, e := range m {
		if k == when {
			continue
		}
		if v, keep := vs.expand(e); keep {
			out[k] = v
		}
	}
	return out, true
}

// mentioned collects the variables a tree names.
func mentioned(node any, into map[string]bool) {
	switch node := node.(type) {
	case string:
		if strings.HasPrefix(node, "$") && !strings.HasPrefix(node, "$$") {
			into[node[1:]] = true
		}
	case []any:
		for _, e := range node {
			mentioned(e, into)
		}
	case map[string]any:
		for k, e := range node {
			if s, ok := e.(string); ok && k == when {
				into[strings.TrimPrefix(s, "!")] = true
				continue
			}
			mentioned(e, into)
		}
	}
}
