package history

import "slices"

// IsWhole reports the scope of a whole history: it names nothing.
func (s *Scope) IsWhole() bool {
	return s.Scenario == "" && len(s.Namespaces) == 0 && len(s.Pools) == 0
}

// onlyNamed reports a scope that names a scenario and says nothing about what belongs to it.
func (s *Scope) onlyNamed() bool {
	return s.Scenario != "" && len(s.Namespaces) == 0 && len(s.Pools) == 0
}

func (s *Scope) hasNamespace(ns string) bool {
	return s.IsWhole() || slices.Contains(s.Namespaces, ns)
}

func (s *Scope) hasPool(pool string) bool {
	if s.IsWhole() {
		return true
	}
	if pool == "" {
		return false
	}
	for _, real := range s.Pools {
		if real == pool {
			return true
		}
	}
	return false
}
