package dialect

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/workloads/build"
)

func native(t testing.TB) *Dialect {
	t.Helper()
	d, err := Load(Native)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func foreign(t testing.TB) *Dialect {
	t.Helper()
	data, err := os.ReadFile("testdata/foreign.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryBuiltinDialectParses(t *testing.T) {
	if len(Names()) == 0 {
		t.Fatal("no dialect is built in")
	}
	for _, name := range Names() {
		if d, err := Load(name); err != nil || d.Name() != name {
			t.Errorf("dialect %s: named %q, error %v", name, d.Name(), err)
		}
	}
	if _, err := Load("nativ"); err == nil || !strings.Contains(err.Error(), "native") {
		t.Errorf("unknown dialect: %v", err)
	}
}

func TestResources(t *testing.T) {
	podgroups := schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}
	if got := native(t).Resources(); len(got) != 1 || got[0] != podgroups {
		t.Errorf("native: %v", got)
	}
	got := foreign(t).Resources()
	if len(got) != 2 || got[0].Resource != "crews" || got[1].Resource != "tickets" {
		t.Errorf("foreign: %v; want the gang's own first, each once", got)
	}
	objs, err := foreign(t).Render(build.Gang{Name: "g", Quorum: 2, Queue: "fast"})
	if err != nil || len(objs) != 2 {
		t.Fatalf("rendered %d objects, error %v", len(objs), err)
	}
	for i, want := range []string{"tickets", "crews"} {
		if gvr, ok := foreign(t).ResourceOf(objs[i].GroupVersionKind()); !ok || gvr.Resource != want {
			t.Errorf("object %d goes to %v", i, gvr)
		}
	}
	if _, ok := native(t).ResourceOf(schema.GroupVersionKind{Kind: "Pod", Version: "v1"}); ok {
		t.Error("native claims to render pods")
	}
}

// mini is a correct dialect to break in one place each.
const mini = `
name: mini
read:
  gang:
    resource: {group: g.example.com, version: v1, resource: things}
    basic: {exists: spec.loose}
    quorum: {path: spec.size}
    satisfied: {path: status.phase, "true": [Up]}
  member: {path: 'metadata.labels["g.example.com/thing"]'}
render:
  objects:
  - resource: {group: g.example.com, version: v1, resource: things}
    object: {apiVersion: g.example.com/v1, kind: Thing, metadata: {name: $name, namespace: $namespace}, spec: {size: $quorum}}
  member: {metadata: {labels: {g.example.com/thing: $name}}}
  quorum: {spec: {size: $quorum}}
`

func TestParseNamesThePlace(t *testing.T) {
	if _, err := Parse([]byte(mini)); err != nil {
		t.Fatalf("the dialect to break does not parse: %v", err)
	}
	for _, tc := range []struct{ name, old, new, want string }{
		{"not YAML", "name: mini", "name: [", "parsing dialect"},
		{"key twice", "name: mini", "name: mini\nname: maxi", `"name" already set`},
		{"unknown field", "basic:", "basik:", `unknown field "read.gang.basik"`},
		{"wrong type", "name: mini", "name: {}", "name"},
		{"bad name", "name: mini", "name: Mini", "name:"},
		{"no version", "version: v1, resource: things}\n    basic", "resource: things}\n    basic", "read.gang.resource"},
		{"no quorum", "quorum: {path: spec.size}\n    sat", "sat", "read.gang.quorum.path"},
		{"bad path", "{path: spec.size}", "{path: spec..n}", `path "spec..n"`},
		{"test of no form", "{exists: spec.loose}", "{}", "read.gang.basic: want exactly one"},
		{"test of two forms", "{exists: spec.loose}", "{exists: spec.loose, always: true}", "read.gang.basic: want exactly one"},
		{"test without values", "{exists: spec.loose}", "{path: spec.loose}", "read.gang.basic: path and in"},
		{"test of a map", "{exists: spec.loose}", "{path: spec.loose, in: [{}]}", "read.gang.basic.in[0]"},
		{"satisfied by nothing", `{path: status.phase, "true": [Up]}`, "{}", "read.gang.satisfied"},
		{"satisfied without values", `, "true": [Up]`, "", "read.gang.satisfied.true"},
		{"condition with values", `{path: status.phase, "true": [Up]}`, `{condition: C, "true": [Up]}`, "read.gang.satisfied"},
		{"no member", `{path: 'metadata.labels["g.example.com/thing"]'}`, "{}", "read.member.path: missing"},
		{"no such pod field", `{path: 'metadata.labels["g.example.com/thing"]'}`, "{path: spec.gang.name}", `read.member.path: path "spec.gang.name": a pod has no field "gang"`},
		{"member is no text", `{path: 'metadata.labels["g.example.com/thing"]'}`, "{path: spec.containers}", "read.member.path"},
		{"member somewhere else", `{path: 'metadata.labels["g.example.com/thing"]'}`, `{path: 'metadata.labels["other"]'}`, "render.member"},
		{"unknown variable", "{size: $quorum}, ", "", ""}, // replaced below
		{"gang not rendered", "- resource: {group: g.example.com, version: v1, resource: things}", "- resource: {group: g.example.com, version: v1, resource: others}", "render.objects: want exactly one"},
		{"apiVersion of another group", "apiVersion: g.example.com/v1", "apiVersion: v1", "render.objects[0].object.apiVersion"},
		{"no kind", "kind: Thing, ", "", "render.objects[0].object"},
		{"gang with a condition that drops it", "object: {apiVersion", "object: {$when: queue, apiVersion", "render.objects[0].object: is left out"},
		{"quorum written elsewhere", "spec: {size: $quorum}}\n  member", "spec: {other: $quorum}}\n  member", "render.objects[0].object: writes quorum 3, but read.gang.quorum.path spec.size reads 0"},
		{"name not written", "name: $name, namespace", "name: x, namespace", "metadata.name to $name"},
		{"quorum patch elsewhere", "quorum: {spec: {size: $quorum}}", "quorum: {spec: {other: $quorum}}", "render.quorum: writes quorum 4"},
		{"no quorum patch", "  quorum: {spec: {size: $quorum}}", "", "render.quorum: missing"},
		{"variable in a text", "spec: {size: $quorum}}\n  member", "spec: {size: $quorum, t: a-$name}}\n  member", "render.objects[0].object.spec.t"},
		{"odd key", "spec: {size: $quorum}}\n  member", "spec: {size: $quorum, $x: 1}}\n  member", `render.objects[0].object.spec: the key "$x"`},
		{"value beside keys", "spec: {size: $quorum}}\n  member", "spec: {$value: 1, size: 2}}\n  member", "render.objects[0].object.spec: a map with $value"},
		{"member that is no pod", "member: {metadata: {labels", "member: {meta: {labels", "render.member does not fit a pod"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.want == "" {
				tc.old, tc.new = "size: $quorum}}\n  member", "size: $qorum}}\n  member"
				tc.want = `render.objects[0].object.spec.size: there is no variable "qorum"`
			}
			if !strings.Contains(mini, tc.old) {
				t.Fatalf("%q is not in the dialect", tc.old)
			}
			_, err := Parse([]byte(strings.Replace(mini, tc.old, tc.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v; want it to contain %q", err, tc.want)
			}
		})
	}
}

func TestRenderSaysWhatCannotBeSaid(t *testing.T) {
	d, err := Parse([]byte(mini))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]build.Gang{
		"resourceClaims": {Name: "g", Quorum: 1, Devices: []build.DeviceClaim{{Name: "gpu", Claim: "one"}}},
		"topologyKey":    {Name: "g", Quorum: 1, TopologyKey: "rack"},
		"disruptAll":     {Name: "g", Quorum: 1, DisruptAll: true},
		"priorityClass":  {Name: "g", Quorum: 1, PriorityClass: "high"},
		"basic":          {Name: "g", Policy: build.BasicPolicy},
		"labels":         {Name: "g", Quorum: 1, Labels: map[string]string{"a": "b"}},
	} {
		if _, err := d.Render(g); !errors.Is(err, ErrCannotSay) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v; want ErrCannotSay that names it", name, err)
		}
	}
	for name, g := range map[string]build.Gang{
		"no name": {Quorum: 1}, "no quorum": {Name: "g"}, "odd policy": {Name: "g", Policy: "maybe", Quorum: 1},
	} {
		if _, err := d.Render(g); err == nil || errors.Is(err, ErrCannotSay) {
			t.Errorf("%s: error %v; want one about the gang", name, err)
		}
	}
	if _, err := d.Render(build.Gang{Name: "g", Quorum: 1, Queue: "q", SchedulerName: "s"}); err != nil {
		t.Errorf("a dialect without queues refuses a queue: %v", err)
	}
	if _, _, err := d.QuorumPatch("g", 0); err == nil {
		t.Error("a quorum of 0 is patched")
	}
	if err := d.Join(&corev1.Pod{}, "", nil); err == nil {
		t.Error("a pod joins a gang without a name")
	}
}

func TestClaimsOfAGroup(t *testing.T) {
	d, err := Load("native")
	if err != nil {
		t.Fatal(err)
	}
	objs, err := d.Render(build.Gang{Name: "g", Quorum: 1, Devices: []build.DeviceClaim{{Name: "a", Claim: "one"}, {Name: "b", Template: "t"}}})
	if err != nil {
		t.Fatal(err)
	}
	got, _, _ := unstructured.NestedSlice(objs[0].Object, "spec", "resourceClaims")
	want := []any{map[string]any{"name": "a", "resourceClaimName": "one"}, map[string]any{"name": "b", "resourceClaimTemplateName": "t"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("resourceClaims %v, want %v", got, want)
	}
}
