package env

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites/history"
	"muster/workloads/build"
)

var (
	namespacesGVR      = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	serviceAccountsGVR = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	jobsGVR            = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	priorityClassesGVR = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}
)

// seenWithin bounds the wait for the recorder to see the nodes that were made; longer means a broken watch.
const seenWithin = 30 * time.Second

// Prepare makes what the scenario needs: nodes first, so that a scheduler knows them by the time pods come, then its
// priority classes and its namespace.
func (e *Env) Prepare(ctx context.Context) error {
	needs := e.o.Scenario.Needs
	count := 0
	for _, spec := range needs.Pools {
		real := realPool(spec, e.o.Scope)
		e.mu.Lock()
		e.pools[spec.Name] = &pool{spec: real, live: e.live}
		e.mu.Unlock()
		if err := e.AddNodes(ctx, spec.Name, real.Count); err != nil {
			return fmt.Errorf("making pool %s: %w", spec.Name, err)
		}
		count += real.Count
	}
	if err := e.prepareDevices(ctx); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(needs.PriorityClasses)) {
		class := build.PriorityClass(e.PriorityClass(name), needs.PriorityClasses[name], nil)
		obj, err := toUnstructured(class)
		if err != nil {
			return fmt.Errorf("making priority class %s: %w", name, err)
		}
		if err := e.must(ctx, request{verb: history.VerbCreate, gvr: priorityClassesGVR, object: obj}); err != nil {
			return err
		}
	}
	ns := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": e.Namespace()},
	}}
	if err := e.must(ctx, request{verb: history.VerbCreate, gvr: namespacesGVR, object: ns}); err != nil {
		return err
	}
	return e.seeNodes(ctx, count)
}

// seeNodes waits for the record to contain the nodes: sizes are taken from what was observed.
func (e *Env) seeNodes(ctx context.Context, count int) error {
	waiting, cancel := context.WithTimeout(ctx, seenWithin)
	defer cancel()
	seen := 0
	if e.live.Until(waiting, func(v *history.View) bool { seen = len(v.Nodes); return seen >= count }) {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("waiting for %d nodes to be recorded: %d were seen within %s; see the recorder's gaps in the history", count, seen, seenWithin)
}

// serviceAccount gives a namespace the account that admission wants pods to have, without waiting for the controller
// that would make it.
func (e *Env) serviceAccount(ctx context.Context, namespace string) {
	sa := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": "default", "namespace": namespace},
	}}
	// Whether this or the controller's request comes first makes no difference, so neither does the answer.
	_, _ = e.o.Client.Resource(serviceAccountsGVR).Namespace(namespace).Create(ctx, sa, metav1.CreateOptions{})
}

// Retire takes what is left pending of the scenario out of the scheduler's queue, so that it does not cost the
// scenarios that still run. What is bound stays where it is: to delete it would wake every gang that waits elsewhere.
// It is called after the end event and is no part of the scenario.
func (e *Env) Retire(ctx context.Context) error {
	now := int64(0)
	err := e.o.Client.Resource(podsGVR).Namespace(e.Namespace()).DeleteCollection(ctx,
		metav1.DeleteOptions{GracePeriodSeconds: &now},
		metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", "").String()})
	if err != nil {
		return fmt.Errorf("retiring pending pods of %s: %w", e.o.Scenario.Name, err)
	}
	return nil
}

// Remove deletes what the scenario left that could matter to others, for clusters that live on: pods, and jobs, which would
// make them anew; nodes, devices and classes. It does not wait for the deletion to end. The namespace stays, with groups that
// nobody is in: to delete it would mean that of every resource there is the objects in it are asked for and deleted, two
// requests each, some hundred in all.
func (e *Env) Remove(ctx context.Context) error {
	background := metav1.DeletePropagationBackground
	var errs []error
	del := func(gvr schema.GroupVersionResource, name string) {
		err := e.o.Client.Resource(gvr).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &background})
		if err != nil {
			errs = append(errs, fmt.Errorf("deleting %s %s: %w", gvr.Resource, name, err))
		}
	}
	now := int64(0)
	for _, ns := range e.o.Scope.Namespaces {
		for _, gvr := range []schema.GroupVersionResource{jobsGVR, podsGVR} {
			err := e.o.Client.Resource(gvr).Namespace(ns).DeleteCollection(ctx,
				metav1.DeleteOptions{PropagationPolicy: &background, GracePeriodSeconds: &now}, metav1.ListOptions{})
			if err != nil {
				errs = append(errs, fmt.Errorf("deleting the %s in %s: %w", gvr.Resource, ns, err))
			}
		}
	}
	e.mu.Lock()
	var made []string
	for _, p := range e.pools {
		made = append(made, p.Nodes()...)
	}
	e.mu.Unlock()
	for _, n := range made {
		del(nodesGVR, n)
	}
	for _, name := range slices.Sorted(maps.Keys(e.o.Scenario.Needs.PriorityClasses)) {
		del(priorityClassesGVR, e.PriorityClass(name))
	}
	if err := e.removeDevices(ctx, del); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return fmt.Errorf("removing what scenario %s left: %w (and %d more)", e.o.Scenario.Name, errs[0], len(errs)-1)
	}
	return nil
}
