package dialect

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/workloads/build"
)

// CompositeResource is the resource composite groups are kept in; ok is false where the dialect has no such thing. It is
// not among Resources: an API that serves gangs need not serve it.
func (d *Dialect) CompositeResource() (gvr schema.GroupVersionResource, ok bool) {
	if d.spec.Read.Composite == nil {
		return gvr, false
	}
	return d.spec.Read.Composite.Resource.GVR(), true
}

// ReadComposite understands a composite group's object (decoded JSON) as Read does a gang's; its quorum counts groups.
// ok is false where the resource is not the one composites are kept in.
func (d *Dialect) ReadComposite(obj map[string]any, gvr schema.GroupVersionResource) (g Group, ok bool) {
	if own, has := d.CompositeResource(); !has || own != gvr {
		return Group{}, false
	}
	return d.spec.Read.Composite.read(obj), true
}

// RenderComposite writes a composite group as the object to create, and says where. The error wraps ErrCannotSay where
// the dialect has no composite groups.
func (d *Dialect) RenderComposite(c build.Composite) (*unstructured.Unstructured, schema.GroupVersionResource, error) {
	t := d.spec.Render.Composite
	if t == nil {
		return nil, schema.GroupVersionResource{}, fmt.Errorf("rendering composite group %s in dialect %s: %w", c.Name, d.Name(), ErrCannotSay)
	}
	if err := d.sayable(build.Gang(c)); err != nil {
		return nil, schema.GroupVersionResource{}, err
	}
	tree, _ := vars(build.Gang(c)).expand(t.Object)
	obj, ok := tree.(map[string]any)
	if !ok {
		return nil, schema.GroupVersionResource{}, fmt.Errorf("rendering composite group %s in dialect %s: render.composite.object is no object", c.Name, d.Name())
	}
	return &unstructured.Unstructured{Object: obj}, t.Resource.GVR(), nil
}

// checkComposite refuses a dialect that reads composites and does not write them, or the reverse, and one whose two
// sides speak of different places.
func (d *Dialect) checkComposite() error {
	read, write := d.spec.Read.Composite, d.spec.Render.Composite
	if (read == nil) != (write == nil) {
		return fmt.Errorf("read.composite and render.composite go together")
	}
	if read == nil {
		return nil
	}
	if err := read.check("read.composite"); err != nil {
		return err
	}
	if write.Resource != read.Resource {
		return fmt.Errorf("render.composite.resource: is not that of read.composite")
	}
	if err := newLinter().tree(write.Object, "render.composite.object"); err != nil {
		return err
	}
	mentioned(write.Object, d.said)
	c := build.Composite{Name: "sample", Namespace: "default", Quorum: 3, Parent: "up"}
	obj, gvr, err := d.RenderComposite(c)
	if err != nil {
		return err
	}
	got, _ := d.ReadComposite(obj.Object, gvr)
	if len(got.Problems) > 0 || got.Name != c.Name || got.Namespace != c.Namespace || got.Quorum != c.Quorum || got.Parent != c.Parent || got.Basic {
		return fmt.Errorf("render.composite: writes %+v, but read.composite reads %+v", c, got)
	}
	return nil
}
