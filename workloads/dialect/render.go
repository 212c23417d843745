package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/workloads/build"
)

// ErrCannotSay is wrapped by Render and Join where a gang asks for something the dialect has no words for. A scenario
// that needs it cannot be run against that scheduler: it is not the scheduler's failure.
var ErrCannotSay = errors.New("the dialect cannot say it")

// optional are the variables whose loss would change what is asked of the scheduler. Queue and schedulerName are not
// among them: a dialect without queues has nothing to put there, and pods carry their scheduler's name themselves.
var optional = []string{"basic", "quorum", "priorityClass", "topologyKey", "disruptAll", "labels", "parent", "workload", "template", "resourceClaims"}

// Render writes a gang as the objects to create, in order. ResourceOf tells where.
func (d *Dialect) Render(g build.Gang) ([]*unstructured.Unstructured, error) {
	if err := d.sayable(g); err != nil {
		return nil, err
	}
	return d.render(g), nil
}

func (d *Dialect) render(g build.Gang) []*unstructured.Unstructured {
	vs := vars(g)
	var out []*unstructured.Unstructured
	for _, t := range d.spec.Render.Objects {
		if tree, keep := vs.expand(t.Object); keep {
			out = append(out, &unstructured.Unstructured{Object: tree.(map[string]any)})
		}
	}
	return out
}

// sayable reports what about a gang would be lost.
func (d *Dialect) sayable(g build.Gang) error {
	switch {
	case g.Name == "":
		return fmt.Errorf("rendering a gang in dialect %s: it has no name", d.Name())
	case g.Policy != build.GangPolicy && g.Policy != build.BasicPolicy:
		return fmt.Errorf("rendering gang %s: policy %q is neither %q nor %q", g.Name, g.Policy, build.GangPolicy, build.BasicPolicy)
	case g.Policy == build.GangPolicy && g.Quorum < 1:
		return fmt.Errorf("rendering gang %s: quorum is %d; want at least 1, or the basic policy", g.Name, g.Quorum)
	}
	vs := vars(g)
	for _, name := range optional {
		if !empty(vs[name]) && !d.said[name] {
			return fmt.Errorf("rendering gang %s in dialect %s: %s = %v: %w", g.Name, d.Name(), name, vs[name], ErrCannotSay)
		}
	}
	return nil
}

// Join makes a pod a member of the named gang. g is the gang itself, for dialects that repeat parts of it on every
// member; nil where it is not known. Nothing the pod shares with other pods is changed.
func (d *Dialect) Join(pod *corev1.Pod, gang string, g *build.Gang) error {
	if gang == "" {
		return fmt.Errorf("joining pod %s to a gang in dialect %s: the gang has no name", pod.Name, d.Name())
	}
	var known build.Gang
	if g != nil {
		known = *g
	}
	known.Name = gang
	if known.Namespace == "" {
		known.Namespace = pod.Namespace
	}
	if err := d.join(pod, vars(known)); err != nil {
		return fmt.Errorf("joining pod %s to gang %s in dialect %s: %w", pod.Name, gang, d.Name(), err)
	}
	return nil
}

// join decodes the member tree over the pod: decoding into filled structs and maps merges.
func (d *Dialect) join(pod *corev1.Pod, vs variables) error {
	tree, keep := vs.expand(d.spec.Render.Member)
	if !keep {
		return nil
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return fmt.Errorf("render.member: %w", err)
	}
	pod.Labels, pod.Annotations = maps.Clone(pod.Labels), maps.Clone(pod.Annotations)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(pod); err != nil {
		return fmt.Errorf("render.member does not fit a pod: %w", err)
	}
	return nil
}

// QuorumPatch is the JSON merge patch that sets the quorum of the gang's object, which has the gang's name.
func (d *Dialect) QuorumPatch(gang string, n int32) (gvr schema.GroupVersionResource, patch []byte, err error) {
	if n < 1 {
		return gvr, nil, fmt.Errorf("setting the quorum of gang %s to %d: want at least 1", gang, n)
	}
	tree, _ := vars(build.Gang{Name: gang, Quorum: n}).expand(d.spec.Render.Quorum)
	if patch, err = json.Marshal(tree); err != nil {
		return gvr, nil, fmt.Errorf("setting the quorum of gang %s in dialect %s: %w", gang, d.Name(), err)
	}
	return d.GangResource(), patch, nil
}
