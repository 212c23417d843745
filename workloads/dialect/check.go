package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"

	"muster/workloads/build"
)

// check completes a parsed dialect and refuses one whose two sides do not fit together.
func (d *Dialect) check() error {
	if msgs := validation.IsDNS1123Label(d.spec.Name); len(msgs) > 0 {
		return fmt.Errorf("name: %s", msgs[0])
	}
	if err := d.spec.Read.Gang.check("read.gang"); err != nil {
		return err
	}
	if d.spec.Read.Member.Path.IsZero() {
		return errors.New("read.member.path: missing; it says where a pod names its gang")
	}
	var err error
	if d.member, err = resolve(d.spec.Read.Member.Path); err != nil {
		return fmt.Errorf("read.member.path: %w", err)
	}
	if err := d.spec.Render.check(d.GangResource().String(), d.spec.Read.Gang.Resource); err != nil {
		return err
	}
	d.said = map[string]bool{}
	for _, t := range d.spec.Render.Objects {
		mentioned(t.Object, d.said)
	}
	mentioned(d.spec.Render.Member, d.said)
	if err := d.checkComposite(); err != nil {
		return err
	}
	return d.roundTrip()
}

func (r Resource) check(at string) error {
	if r.Version == "" || r.Resource == "" {
		return fmt.Errorf("%s: want group, version and resource, got %q, %q and %q", at, r.Group, r.Version, r.Resource)
	}
	return nil
}

func (g GangReading) check(at string) error {
	if err := g.Resource.check(at + ".resource"); err != nil {
		return err
	}
	if g.Quorum.Path.IsZero() {
		return fmt.Errorf("%s.quorum.path: missing; a gang without a quorum cannot be judged", at)
	}
	if err := g.Basic.check(at + ".basic"); err != nil {
		return err
	}
	if err := g.DisruptAll.check(at + ".disruptAll"); err != nil {
		return err
	}
	if s := g.Satisfied; s != nil {
		switch {
		case (s.Condition == "") == s.Path.IsZero():
			return fmt.Errorf("%s.satisfied: want either condition or path", at)
		case s.Condition != "" && len(s.True)+len(s.False) > 0:
			return fmt.Errorf("%s.satisfied: true and false go with path; a condition has its own status", at)
		case s.Condition == "" && len(s.True) == 0:
			return fmt.Errorf("%s.satisfied.true: missing; name the values that mean satisfied", at)
		}
	}
	return nil
}

func (t *Test) check(at string) error {
	if t == nil {
		return nil
	}
	forms := 0
	for _, given := range []bool{!t.Exists.IsZero(), !t.Path.IsZero(), t.Always != nil} {
		if given {
			forms++
		}
	}
	if forms != 1 {
		return fmt.Errorf("%s: want exactly one of exists, path with in, always", at)
	}
	if t.Path.IsZero() != (len(t.In) == 0) {
		return fmt.Errorf("%s: path and in go together", at)
	}
	for i, v := range t.In {
		if !sameScalar(v, v) {
			return fmt.Errorf("%s.in[%d]: want text, a whole number, true or false, got %v", at, i, v)
		}
	}
	return nil
}

func (r Render) check(want string, gang Resource) error {
	lint, own := newLinter(), 0
	for i, t := range r.Objects {
		at := fmt.Sprintf("render.objects[%d]", i)
		if err := t.Resource.check(at + ".resource"); err != nil {
			return err
		}
		if err := lint.tree(t.Object, at+".object"); err != nil {
			return err
		}
		if _, stands := t.Object[value]; stands {
			return fmt.Errorf("%s.object: an object cannot be replaced by a %s", at, value)
		}
		gvk := t.gvk()
		if gvk.Kind == "" || gvk.Version == "" {
			return fmt.Errorf("%s.object: want an apiVersion and a kind", at)
		}
		if gvk.Group != t.Resource.Group || gvk.Version != t.Resource.Version {
			return fmt.Errorf("%s.object.apiVersion: is %s, but resource says %s/%s", at, gvk.GroupVersion(), t.Resource.Group, t.Resource.Version)
		}
		if t.Resource == gang {
			own++
		}
	}
	if own != 1 {
		return fmt.Errorf("render.objects: want exactly one of resource %s, which read.gang reads; got %d", want, own)
	}
	for _, part := range []struct {
		at   string
		tree map[string]any
	}{{"render.member", r.Member}, {"render.quorum", r.Quorum}} {
		if len(part.tree) == 0 {
			return fmt.Errorf("%s: missing", part.at)
		}
		if err := lint.tree(part.tree, part.at); err != nil {
			return err
		}
	}
	return nil
}

// roundTrip renders a small gang, reads it, changes its quorum, reads again, and lets a pod join: the smallest proof that
// the two sides speak of the same places.
func (d *Dialect) roundTrip() error {
	g := build.Gang{Name: "sample", Namespace: "default", Quorum: 3}
	objs := d.render(g)
	i := slices.IndexFunc(d.spec.Render.Objects, func(t Template) bool { return t.Resource == d.spec.Read.Gang.Resource })
	own := slices.IndexFunc(objs, func(u *unstructured.Unstructured) bool {
		return u.GroupVersionKind() == d.spec.Render.Objects[i].gvk()
	})
	if own < 0 {
		return fmt.Errorf("render.objects[%d].object: is left out for a plain gang; its $when is wrong", i)
	}
	obj := objs[own].Object
	if err := d.reads(obj, g, fmt.Sprintf("render.objects[%d].object", i)); err != nil {
		return err
	}
	_, patch, err := d.QuorumPatch(g.Name, 4)
	if err != nil {
		return err
	}
	before, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	after, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		return fmt.Errorf("render.quorum: %w", err)
	}
	var patched map[string]any
	if err := json.Unmarshal(after, &patched); err != nil {
		return fmt.Errorf("render.quorum: %w", err)
	}
	g.Quorum = 4
	if err := d.reads(patched, g, "render.quorum"); err != nil {
		return err
	}
	var pod corev1.Pod
	if err := d.join(&pod, vars(g)); err != nil {
		return err
	}
	if got, _ := d.Member(&pod); got != g.Name {
		return fmt.Errorf("render.member: joins gang %q, but read.member.path %s reads %q", g.Name, d.spec.Read.Member.Path, got)
	}
	return nil
}

// reads compares what is read with what was rendered at a place.
func (d *Dialect) reads(obj map[string]any, want build.Gang, at string) error {
	got, _ := d.Read(obj, d.GangResource())
	switch {
	case len(got.Problems) > 0:
		return fmt.Errorf("%s: read.gang finds %s", at, got.Problems[0])
	case got.Name != want.Name || got.Namespace != want.Namespace:
		return fmt.Errorf("%s: writes gang %s/%s, but it reads as %s/%s; set metadata.name to $name and metadata.namespace to $namespace",
			at, want.Namespace, want.Name, got.Namespace, got.Name)
	case got.Basic:
		return fmt.Errorf("%s: writes a gang, but read.gang.basic takes it for a basic group", at)
	case got.Quorum != want.Quorum:
		return fmt.Errorf("%s: writes quorum %d, but read.gang.quorum.path %s reads %d", at, want.Quorum, d.spec.Read.Gang.Quorum.Path, got.Quorum)
	}
	return nil
}
