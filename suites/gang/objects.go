package gang

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
)

var (
	podGroups  = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// elsewhereSuffix makes the name of a scenario's second namespace out of that of its first.
const elsewhereSuffix = "-elsewhere"

// manageNamespace creates or deletes a namespace beside the scenario's own.
func manageNamespace(ctx context.Context, env suites.Env, verb, name string) error {
	a := suites.Attempt{Verb: verb, GVR: namespaces, Name: name, ClusterScoped: true}
	if verb == "create" {
		a.Object = &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
		}}
	}
	r, err := env.Try(ctx, verb+" namespace", a)
	if err != nil {
		return fmt.Errorf("%s of namespace %s: %w", verb, name, err)
	}
	if !r.OK() {
		return fmt.Errorf("%s of namespace %s: the API server answered %d %s: %s", verb, name, r.Code, r.Reason, r.Message)
	}
	return nil
}

// controlled is an apps/v1 object of the kind, whose pods belong to the gang and stand on the pool. spec is what the
// kind needs beside selector and template.
func controlled(env suites.Env, kind, gang, pool string, spec map[string]any) *unstructured.Unstructured {
	real := env.Pool(pool).Name()
	labels := map[string]any{"app": gang}
	spec["selector"] = map[string]any{"matchLabels": labels}
	spec["template"] = map[string]any{
		"metadata": map[string]any{"labels": labels},
		"spec": map[string]any{
			"schedulingGroup":               map[string]any{"podGroupName": gang},
			"schedulerName":                 env.SchedulerName(),
			"terminationGracePeriodSeconds": int64(0),
			"nodeSelector":                  map[string]any{nodes.PoolLabel: real},
			"tolerations": []any{map[string]any{
				"key": nodes.PoolTaint, "operator": "Equal", "value": real, "effect": "NoSchedule",
			}},
			"containers": []any{map[string]any{
				"name": "worker", "image": "muster.dev/worker",
				"resources": map[string]any{
					"requests": map[string]any{"cpu": "1", "nvidia.com/gpu": "1"},
					"limits":   map[string]any{"nvidia.com/gpu": "1"},
				},
			}},
		},
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": kind, "metadata": map[string]any{"name": gang}, "spec": spec,
	}}
}
