package gang

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

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
