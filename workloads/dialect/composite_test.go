package dialect

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/workloads/build"
)

func TestCompositesAreReadAsWritten(t *testing.T) {
	d := native(t)
	gvr := schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"}
	for _, tc := range []struct {
		name string
		c    build.Composite
		want Group
	}{
		{"root", build.Composite{Name: "c", Namespace: "ns", Quorum: 2}, Group{Namespace: "ns", Name: "c", Quorum: 2}},
		{"basic", build.Composite{Name: "c", Namespace: "ns", Policy: build.BasicPolicy}, Group{Namespace: "ns", Name: "c", Basic: true}},
		{"everything", build.Composite{Name: "c", Namespace: "ns", Quorum: 1, Parent: "up", PriorityClass: "high", TopologyKey: "zone",
			DisruptAll: true, Workload: "w", Template: "t"},
			Group{Namespace: "ns", Name: "c", Quorum: 1, Parent: "up", PriorityClass: "high", TopologyKey: "zone", DisruptAll: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			obj, at, err := d.RenderComposite(tc.c)
			if err != nil || at != gvr {
				t.Fatalf("rendered for %v: %v", at, err)
			}
			if got, ok := d.ReadComposite(obj.Object, at); !ok || !reflect.DeepEqual(got, tc.want) {
				t.Errorf("read %+v\nwant %+v", got, tc.want)
			}
			if _, ok := d.Read(obj.Object, at); ok {
				t.Error("a composite is read as a gang")
			}
			if _, ok := d.ReadComposite(obj.Object, d.GangResource()); ok {
				t.Error("a gang's object is read as a composite")
			}
		})
	}
}

func TestGangsNameTheirParent(t *testing.T) {
	objs, err := native(t).Render(build.Gang{Name: "g", Quorum: 1, Parent: "up", Workload: "w", Template: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := native(t).Read(objs[0].Object, native(t).GangResource()); got.Parent != "up" {
		t.Errorf("read %+v", got)
	}
}

func TestDialectsWithoutComposites(t *testing.T) {
	d := foreign(t)
	if _, _, err := d.RenderComposite(build.Composite{Name: "c", Quorum: 1}); !errors.Is(err, ErrCannotSay) {
		t.Errorf("error %v; want %v", err, ErrCannotSay)
	}
	if _, ok := d.CompositeResource(); ok {
		t.Error("a dialect without composites names their resource")
	}
}

func TestParseNamesThePlaceOfComposites(t *testing.T) {
	const reading = `
  composite:
    resource: {group: g.example.com, version: v1, resource: heaps}
    basic: {exists: spec.loose}
    quorum: {path: spec.size}
    parent: {path: spec.up}
`
	const writing = `
  composite:
    resource: {group: g.example.com, version: v1, resource: heaps}
    object: {apiVersion: g.example.com/v1, kind: Heap, metadata: {name: $name, namespace: $namespace}, spec: {size: $quorum, up: $parent}}
`
	with := func(r, w string) string {
		return strings.Replace(strings.Replace(mini, "render:", strings.TrimPrefix(r, "\n")+"render:", 1), "  member: {metadata", strings.TrimPrefix(w, "\n")+"  member: {metadata", 1)
	}
	if _, err := Parse([]byte(with(reading, writing))); err != nil {
		t.Fatalf("the dialect to break does not parse: %v", err)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"only read", with(reading, ""), "go together"},
		{"only written", with("", writing), "go together"},
		{"no quorum", with(strings.Replace(reading, "quorum: {path: spec.size}", "", 1), writing), "read.composite.quorum.path"},
		{"written elsewhere", with(reading, strings.Replace(writing, "size: $quorum", "much: $quorum", 1)), "render.composite: writes"},
		{"created elsewhere", with(reading, strings.Replace(writing, "heaps", "piles", 1)), "render.composite.resource"},
		{"unknown variable", with(reading, strings.Replace(writing, "$parent", "$parents", 1)), "render.composite.object.spec.up"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Parse([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v; want it to contain %q", err, tc.want)
			}
		})
	}
}
