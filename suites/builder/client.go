package builder

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
	"muster/workloads/build"
	"muster/workloads/shapes"
)

const (
	// soon is generous for what a controller does after an event; glance is how long something is watched for that a
	// controller would do at once.
	soon   = 30 * time.Second
	glance = 3 * time.Second
)

// resources of the kinds that shapes are made of.
var resources = map[string]schema.GroupVersionResource{
	"Workload":          {Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "workloads"},
	"PodGroup":          {Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"},
	"CompositePodGroup": {Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"},
	"Job":               {Group: "batch", Version: "v1", Resource: "jobs"},
	"Pod":               {Version: "v1", Resource: "pods"},
	"ConfigMap":         {Version: "v1", Resource: "configmaps"},
}

// client lets a shape's controller act through the environment. An object's answer is recorded as "KIND NAME".
type client struct{ env suites.Env }

func label(kind, name string) string { return kind + " " + name }

// Create creates an object; that it was not is no error.
func (c client) Create(ctx context.Context, o *unstructured.Unstructured) (bool, error) {
	gvr, ok := resources[o.GetKind()]
	if !ok {
		return false, fmt.Errorf("no resource is known for kind %s", o.GetKind())
	}
	r, err := c.env.Try(ctx, label(o.GetKind(), o.GetName()), suites.Attempt{Verb: "create", GVR: gvr, Object: o})
	if err != nil {
		return false, err
	}
	// What exists already is as good as created. What the API server refuses is for the judge to see; the controller goes
	// on with the rest.
	return r.OK(), nil
}

var _ shapes.Client = client{}

// identity makes the object that stands for the workload and owns everything of it.
func identity(ctx context.Context, env suites.Env, name string) (shapes.Identity, error) {
	o := &unstructured.Unstructured{Object: answer.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": answer.Object{"name": name}}}
	r, err := env.Try(ctx, label("ConfigMap", name), suites.Attempt{Verb: "create", GVR: resources["ConfigMap"], Object: o})
	if err != nil {
		return shapes.Identity{}, err
	}
	if !r.OK() {
		return shapes.Identity{}, fmt.Errorf("creating configmap %s: the API server answered %d %s: %s", name, r.Code, r.Reason, r.Message)
	}
	yes := true
	return shapes.Identity{Name: name, Namespace: env.Namespace(), Owner: metav1.OwnerReference{
		APIVersion: "v1", Kind: "ConfigMap", Name: name, UID: types.UID(r.UID), Controller: &yes,
	}}, nil
}

// podSpec is that of a pod of shape kit.Worker on the pool; without a pool it is held by a scheduling gate.
func podSpec(env suites.Env, pool string) corev1.PodSpec {
	d := build.Defaults{Namespace: env.Namespace(), SchedulerName: env.SchedulerName()}
	p := build.Pod{Name: "template"}
	if pool == "" {
		p.Gates = []string{"muster.dev/held"}
	} else {
		p, d.Pool = kit.Plain("template", pool), env.Pool(pool).Name()
	}
	return build.PodObject(p, d).Spec
}

// stored is the object that the API server answered a creation with, and what was sent; nil where it was refused or
// never tried.
func stored(v *history.View, kind, name string) (answered, sent answer.Object) {
	e, ok := v.TryEvent(label(kind, name))
	if !ok || !e.Value.Action.Response.OK() {
		return nil, nil
	}
	return answer.Decode(e.Value.Action.Response.Object), answer.Decode(e.Value.Object)
}

// text is the string at a path; empty where there is none.
func text(o answer.Object, path string) string {
	v, _ := answer.Field(o, path)
	s, _ := v.(string)
	return s
}

// list are the objects of a list at a path.
func list(o answer.Object, path string) []answer.Object {
	v, _ := answer.Field(o, path)
	items, _ := v.([]any)
	var out []answer.Object
	for _, i := range items {
		if m, ok := i.(answer.Object); ok {
			out = append(out, m)
		}
	}
	return out
}
