package dialect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/workloads/build"
)

// when is the key of a map that keeps or drops the whole map.
const when = "$when"

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
		"workload": g.Workload, "template": g.Template, "schedulerName": g.SchedulerName,
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
	}
	return v == nil
}

// lookup finds a variable; path is for the error.
func (vs variables) lookup(name, path string) (any, error) {
	v, ok := vs[name]
	if !ok {
		names := slices.Sorted(maps.Keys(vs))
		return nil, fmt.Errorf("%s: there is no variable %q; there are: %s", path, name, strings.Join(names, ", "))
	}
	return v, nil
}

// expand copies a tree with its variables replaced. keep is false where the node disappears.
func (vs variables) expand(node any, path string) (out any, keep bool, err error) {
	switch node := node.(type) {
	case string:
		return vs.expandText(node, path)
	case map[string]any:
		return vs.expandMap(node, path)
	case []any:
		list := make([]any, 0, len(node))
		for i, e := range node {
			v, keep, err := vs.expand(e, fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return nil, false, err
			}
			if keep {
				list = append(list, v)
			}
		}
		return list, true, nil
	}
	return node, true, nil
}

func (vs variables) expandText(s, path string) (any, bool, error) {
	if rest, ok := strings.CutPrefix(s, "$$"); ok {
		return "$" + rest, true, nil
	}
	if name, ok := strings.CutPrefix(s, "$"); ok {
		v, err := vs.lookup(name, path)
		if err != nil || empty(v) {
			return nil, false, err
		}
		if m, ok := v.(map[string]any); ok {
			v = maps.Clone(m)
		}
		return v, true, nil
	}
	for name := range vs {
		if strings.Contains(s, "$"+name) {
			return nil, false, fmt.Errorf("%s: %q has a variable inside a text; a variable is a whole value", path, s)
		}
	}
	return s, true, nil
}

func (vs variables) expandMap(m map[string]any, path string) (any, bool, error) {
	if cond, ok := m[when]; ok {
		text, _ := cond.(string)
		name, inverted := strings.CutPrefix(text, "!")
		v, err := vs.lookup(name, path+"."+when)
		if err != nil {
			return nil, false, err
		}
		if empty(v) != inverted {
			return nil, false, nil
		}
	}
	out := make(map[string]any, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		switch {
		case k == when:
			continue
		case strings.HasPrefix(k, "$"):
			return nil, false, fmt.Errorf("%s: the key %q is not %s, and keys are never replaced", path, k, when)
		}
		v, keep, err := vs.expand(m[k], path+"."+k)
		if err != nil {
			return nil, false, err
		}
		if keep {
			out[k] = v
		}
	}
	return out, true, nil
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
