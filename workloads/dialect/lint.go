package dialect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/workloads/build"
)

// linter finds what is wrong with templates before they are ever expanded, also in branches that seldom are.
type linter struct {
	known []string
}

func newLinter() linter {
	return linter{known: slices.Sorted(maps.Keys(vars(build.Gang{})))}
}

func (l linter) variable(name, path string) error {
	if slices.Contains(l.known, name) {
		return nil
	}
	return fmt.Errorf("%s: there is no variable %q; there are: %s", path, name, strings.Join(l.known, ", "))
}

func (l linter) tree(node any, path string) error {
	switch node := node.(type) {
	case string:
		return l.text(node, path)
	case []any:
		for i, e := range node {
			if err := l.tree(e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return l.mapping(node, path)
	}
	return nil
}

func (l linter) text(s, path string) error {
	if strings.HasPrefix(s, "$$") {
		return nil
	}
	if name, ok := strings.CutPrefix(s, "$"); ok {
		return l.variable(name, path)
	}
	for _, name := range l.known {
		if strings.Contains(s, "$"+name) {
			return fmt.Errorf("%s: %q has a variable inside a text; a variable is a whole value", path, s)
		}
	}
	return nil
}

func (l linter) mapping(m map[string]any, path string) error {
	_, stands := m[value]
	for _, k := range slices.Sorted(maps.Keys(m)) {
		switch {
		case k == when:
			text, ok := m[k].(string)
			if !ok {
				return fmt.Errorf("%s.%s: want the name of a variable, got %v", path, when, m[k])
			}
			if err := l.variable(strings.TrimPrefix(text, "!"), path+"."+when); err != nil {
				return err
			}
			continue
		case stands && k != value:
			return fmt.Errorf("%s: a map with %s stands for that alone, but has the key %q too", path, value, k)
		case k != value && strings.HasPrefix(k, "$"):
			return fmt.Errorf("%s: the key %q is neither %s nor %s, and keys are never replaced", path, k, when, value)
		}
		if err := l.tree(m[k], path+"."+k); err != nil {
			return err
		}
	}
	return nil
}
