package engine

import (
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// budget is a PodDisruptionBudget: so many of the pods it selects may be disrupted. Preemption prefers not to go beyond
// it, but may.
type budget struct {
	Key
	selector labels.Selector
	allowed  int
}

// UpsertBudget tells that a PodDisruptionBudget exists and what it looks like. One whose selector cannot be read protects
// nobody, and is an error.
func (e *Engine) UpsertBudget(obj *policyv1.PodDisruptionBudget) error {
	k := Key{obj.Namespace, obj.Name}
	e.DeleteBudget(k)
	selector, err := metav1.LabelSelectorAsSelector(obj.Spec.Selector)
	if err != nil {
		return fmt.Errorf("reading the selector of PodDisruptionBudget %s: %w", k, err)
	}
	if e.budgets[k.Namespace] == nil {
		e.budgets[k.Namespace] = map[string]*budget{}
	}
	e.budgets[k.Namespace][k.Name] = &budget{Key: k, selector: selector, allowed: max(0, int(obj.Status.DisruptionsAllowed))}
	return nil
}

// DeleteBudget tells that a PodDisruptionBudget is gone.
func (e *Engine) DeleteBudget(k Key) {
	delete(e.budgets[k.Namespace], k.Name)
	if len(e.budgets[k.Namespace]) == 0 {
		delete(e.budgets, k.Namespace)
	}
}

// budgetsOf are the budgets that select the pods of a set of labels.
func (e *Engine) budgetsOf(s *labelSet) []*budget {
	all := e.budgets[s.ns.name]
	if len(all) == 0 {
		return nil
	}
	var out []*budget
	set := s.labels()
	for _, b := range all { // the order does not matter: they are only counted
		if b.selector.Matches(set) {
			out = append(out, b)
		}
	}
	return out
}
