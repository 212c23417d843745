package job

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"muster/suites"
	"muster/suites/kit/answer"
)

var (
	jobs       = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	cronJobs   = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}
	classes    = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}
	pods       = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	podGroups  = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}
	workloads  = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "workloads"}
)

const (
	// soon is generous for what a controller does after an event; nothing is measured by it.
	soon = 30 * time.Second
	// glance is how long something is watched for that a controller would do within milliseconds.
	glance = 3 * time.Second
)

// spec of a Job in a scenario: JSON members, each with a comma at its end, empty for none.
type spec struct {
	name        string
	parallelism int
	// completions where they are not the parallelism.
	completions int
	// fields of the Job's spec, pod of its pod template's spec.
	fields, pod string
	annotations map[string]any
	// owner is the Job's controller; nil: it has none.
	owner answer.Object
}

// object is the Job. Its pods are gated, so that they wait for nobody but the scenario.
func (s spec) object() answer.Object {
	gate := `"schedulingGates":[{"name":"muster.dev/held"}],`
	meta := answer.Object{"name": s.name}
	if s.annotations != nil {
		meta["annotations"] = s.annotations
	}
	if s.owner != nil {
		meta["ownerReferences"] = []any{s.owner}
	}
	return answer.Object{
		"apiVersion": "batch/v1", "kind": "Job", "metadata": meta,
		"spec": parse(fmt.Sprintf(`{%s"parallelism":%d,"completions":%d,"backoffLimit":0,"template":{"spec":{%s%s"restartPolicy":"Never","terminationGracePeriodSeconds":0,"containers":[{"name":"main","image":"registry.k8s.io/pause:3.10"}]}}}`,
			s.fields, s.parallelism, s.succeed(), gate, s.pod)),
	}
}

// succeed is how many pods have to.
func (s spec) succeed() int {
	if s.completions > 0 {
		return s.completions
	}
	return s.parallelism
}

// atFirst is how many pods the controller makes to begin with.
func (s spec) atFirst() int { return min(s.parallelism, s.succeed()) }

func parse(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(fmt.Sprintf("job: the scenario holds %s, which is no JSON: %v", text, err))
	}
	return v
}

// create sends the Jobs; each answer is recorded under "create NAME".
func create(ctx context.Context, env suites.Env, specs ...spec) error {
	for _, s := range specs {
		r, err := env.Try(ctx, "create "+s.name, suites.Attempt{Verb: "create", GVR: jobs, Object: &unstructured.Unstructured{Object: s.object()}})
		if err != nil {
			return err
		}
		if !r.OK() {
			return fmt.Errorf("creating job %s: the API server answered %d %s: %s", s.name, r.Code, r.Reason, r.Message)
		}
	}
	return nil
}

// patch changes a Job, which has to work.
func patch(ctx context.Context, env suites.Env, name, merge string) error {
	if err := env.Patch(ctx, jobs, name, []byte(merge)); err != nil {
		return fmt.Errorf("changing job %s: %w", name, err)
	}
	return nil
}

// read records an object under a label and returns it; nil where there is none.
func read(ctx context.Context, env suites.Env, label string, gvr schema.GroupVersionResource, name string) (answer.Object, error) {
	r, err := env.Try(ctx, label, suites.Attempt{Verb: "patch", GVR: gvr, Name: name, Patch: []byte(`{}`)})
	if err != nil || !r.OK() {
		return nil, err
	}
	return answer.Decode(r.Object), nil
}

// parent makes an object that can be a Job's controller, and returns the reference to it.
func parent(ctx context.Context, env suites.Env, gvr schema.GroupVersionResource, o answer.Object) (answer.Object, error) {
	u := &unstructured.Unstructured{Object: o}
	r, err := env.Try(ctx, "create "+u.GetName(), suites.Attempt{Verb: "create", GVR: gvr, Object: u})
	if err != nil {
		return nil, err
	}
	if !r.OK() {
		return nil, fmt.Errorf("creating %s %s: the API server answered %d %s: %s", u.GetKind(), u.GetName(), r.Code, r.Reason, r.Message)
	}
	return answer.Object{"apiVersion": u.GetAPIVersion(), "kind": u.GetKind(), "name": u.GetName(), "uid": r.UID, "controller": true}, nil
}
