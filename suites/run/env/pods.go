package env

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites/history"
	"muster/workloads/build"
)

var podsGVR = schema.GroupVersionResource{Version: "v1", Resource: "pods"}

// CreatePods creates pods one after the other in the order given.
func (e *Env) CreatePods(ctx context.Context, pods ...build.Pod) error {
	for _, p := range pods {
		obj, err := e.podObject(p)
		if err != nil {
			return fmt.Errorf("building pod %s: %w", p.Name, err)
		}
		if err := e.must(ctx, request{
			verb: history.VerbCreate, gvr: podsGVR, namespace: obj.GetNamespace(), object: obj,
		}); err != nil {
			return err
		}
	}
	return nil
}

func (e *Env) podObject(p build.Pod) (*unstructured.Unstructured, error) {
	d := build.Defaults{Namespace: e.Namespace(), SchedulerName: e.SchedulerName()}
	if p.Pool != "" {
		real, ok := e.o.Scope.Pools[p.Pool]
		if !ok {
			return nil, fmt.Errorf("pool %q is none of the scenario's", p.Pool)
		}
		d.Pool = real
	}
	if real, ok := e.o.Scope.Names["priorityclass/"+p.PriorityClass]; ok {
		p.PriorityClass = real
	}
	pod := build.PodObject(p, d)
	if p.Gang != "" {
		if err := e.o.Dialect.Join(pod, p.Gang, e.gang(pod.Namespace, p.Gang)); err != nil {
			return nil, err
		}
	}
	return toUnstructured(pod)
}

// DeletePods deletes pods with their own grace period.
func (e *Env) DeletePods(ctx context.Context, names ...string) error {
	for _, n := range names {
		if err := e.must(ctx, request{verb: history.VerbDelete, gvr: podsGVR, namespace: e.Namespace(), name: n}); err != nil {
			return err
		}
	}
	return nil
}

// FinishPods asks for pods to end; simulated nodes do as they are asked.
func (e *Env) FinishPods(ctx context.Context, phase corev1.PodPhase, names ...string) error {
	if phase != corev1.PodSucceeded && phase != corev1.PodFailed {
		return fmt.Errorf("finishing pods: phase %q is neither %s nor %s", phase, corev1.PodSucceeded, corev1.PodFailed)
	}
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"annotations": map[string]string{nodes.FinishAnnotation: string(phase)}},
	})
	if err != nil {
		return fmt.Errorf("finishing pods: %w", err)
	}
	return e.patchPods(ctx, patch, names)
}

// UngatePods removes every scheduling gate.
func (e *Env) UngatePods(ctx context.Context, names ...string) error {
	return e.patchPods(ctx, []byte(`{"spec":{"schedulingGates":null}}`), names)
}

func (e *Env) patchPods(ctx context.Context, patch []byte, names []string) error {
	for _, n := range names {
		if err := e.must(ctx, request{verb: history.VerbPatch, gvr: podsGVR, namespace: e.Namespace(), name: n, patch: patch}); err != nil {
			return err
		}
	}
	return nil
}

// BindPod binds a pod in the driver's name.
func (e *Env) BindPod(ctx context.Context, pod, node string) error {
	binding := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Binding",
		"metadata": map[string]any{"name": pod, "namespace": e.Namespace()},
		"target":   map[string]any{"apiVersion": "v1", "kind": "Node", "name": node},
	}}
	return e.must(ctx, request{
		verb: history.VerbBind, gvr: podsGVR, namespace: e.Namespace(), object: binding,
		subresources: []string{"binding"}, node: node,
	})
}

func toUnstructured(obj runtime.Object) (*unstructured.Unstructured, error) {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, fmt.Errorf("converting: %w", err)
	}
	delete(m, "status")
	return &unstructured.Unstructured{Object: m}, nil
}
