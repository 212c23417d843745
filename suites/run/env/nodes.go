package env

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
)

var nodesGVR = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}

// nodeWorkers is how many nodes are created at the same time; pools of scenarios are small.
const nodeWorkers = 8

// Pool is one of the scenario's by its short name. It panics on one that Needs does not declare, which is a mistake in
// the scenario.
func (e *Env) Pool(name string) suites.Pool {
	e.mu.Lock()
	defer e.mu.Unlock()
	p, ok := e.pools[name]
	if !ok {
		panic(fmt.Sprintf("scenario %s asks for the pool %q, which its Needs do not declare", e.o.Scenario.Name, name))
	}
	return p
}

// AddNodes adds n nodes to a pool, with their devices where it has any.
func (e *Env) AddNodes(ctx context.Context, name string, n int) error {
	p, ok := e.Pool(name).(*pool)
	if !ok {
		return fmt.Errorf("adding nodes to pool %s: it is not one of this environment", name)
	}
	from := p.reserve(n)
	errs := make([]error, n)
	slots := make(chan struct{}, nodeWorkers)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if errs[i] = e.createNode(ctx, nodes.Object(p.spec, from+i)); errs[i] == nil {
				errs[i] = e.nodeDevices(ctx, p.spec, from+i)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i := range n {
		p.add(nodes.Name(p.spec.Name, from+i))
	}
	return nil
}

func (e *Env) createNode(ctx context.Context, node *corev1.Node) error {
	wall, _ := e.o.Journal.Now()
	for i := range node.Status.Conditions {
		c := &node.Status.Conditions[i]
		c.LastHeartbeatTime, c.LastTransitionTime = metav1.NewTime(wall), metav1.NewTime(wall)
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(node)
	if err != nil {
		return fmt.Errorf("converting node %s: %w", node.Name, err)
	}
	return e.must(ctx, request{verb: history.VerbCreate, gvr: nodesGVR, object: &unstructured.Unstructured{Object: m}})
}

// RemoveNode deletes a node.
func (e *Env) RemoveNode(ctx context.Context, node string) error {
	if err := e.must(ctx, request{verb: history.VerbDelete, gvr: nodesGVR, name: node}); err != nil {
		return err
	}
	e.mu.Lock()
	for _, p := range e.pools {
		p.remove(node)
	}
	e.mu.Unlock()
	return e.forgetDevices(ctx, node)
}

// ReturnNode creates a removed node again, with its devices where its pool has any.
func (e *Env) ReturnNode(ctx context.Context, node string) error {
	e.mu.Lock()
	var home *pool
	var number int
	for _, p := range e.pools {
		if digits, ok := strings.CutPrefix(node, p.spec.Name+"-"); ok {
			if n, err := strconv.Atoi(digits); err == nil && nodes.Name(p.spec.Name, n) == node {
				home, number = p, n
			}
		}
	}
	e.mu.Unlock()
	if home == nil {
		return fmt.Errorf("creating node %s again: no pool of the scenario has a node of this name", node)
	}
	if err := e.createNode(ctx, nodes.Object(home.spec, number)); err != nil {
		return err
	}
	if err := e.nodeDevices(ctx, home.spec, number); err != nil {
		return err
	}
	home.add(node)
	return nil
}

// PatchNode applies a JSON merge patch to one of the scenario's nodes.
func (e *Env) PatchNode(ctx context.Context, node string, mergePatch []byte, subresources ...string) error {
	if !e.owns(node) {
		return fmt.Errorf("patching node %s: it is in none of the scenario's pools", node)
	}
	return e.must(ctx, request{verb: history.VerbPatch, gvr: nodesGVR, name: node, patch: mergePatch, subresources: subresources})
}

func (e *Env) owns(node string) bool {
	for _, real := range e.o.Scope.Pools {
		if strings.HasPrefix(node, real+"-") {
			return true
		}
	}
	return false
}
