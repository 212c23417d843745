package dialect

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadNative(t *testing.T) {
	d := native(t)
	for _, tc := range []struct {
		name, object string
		want         Group
	}{
		{"gang with everything", `
metadata: {name: g, namespace: ns}
spec:
  parentCompositePodGroupName: up
  schedulingPolicy: {gang: {minCount: 4}}
  schedulingConstraints: {topology: [{key: rack}]}
  disruptionMode: {all: {}}
  priorityClassName: high
  priority: 1000
status:
  conditions:
  - {type: PodGroupInitiallyScheduled, status: "True", reason: Scheduled, observedGeneration: 3, lastTransitionTime: "2026-01-02T03:04:05Z", message: never read}
  - {type: DisruptionTarget, status: "False"}
`, Group{
			Namespace: "ns", Name: "g", Quorum: 4, Priority: 1000, PriorityClass: "high", Parent: "up", TopologyKey: "rack", DisruptAll: true,
			Conditions: map[string]Condition{
				"PodGroupInitiallyScheduled": {Status: "True", Reason: "Scheduled", ObservedGeneration: 3, LastTransition: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
				"DisruptionTarget":           {Status: "False"},
			},
			Satisfied: Condition{Status: "True", Reason: "Scheduled", ObservedGeneration: 3, LastTransition: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		}},
		{"basic as the API server stores it", `
metadata: {name: b, namespace: ns}
spec: {schedulingPolicy: {basic: {}}, disruptionMode: {single: {}}, priority: 0}
`, Group{Namespace: "ns", Name: "b", Basic: true}},
		{"empty constraint", `
metadata: {name: g, namespace: ns}
spec: {schedulingPolicy: {gang: {minCount: 1}}, schedulingConstraints: {}}
status: {conditions: []}
`, Group{Namespace: "ns", Name: "g", Quorum: 1, Conditions: map[string]Condition{}}},
		{"values of wrong types", `
metadata: {name: g, namespace: ns}
spec: {schedulingPolicy: {gang: {minCount: "4"}}, priorityClassName: 7, priority: 1.5}
status: {conditions: [{status: "True"}, 3]}
`, Group{Namespace: "ns", Name: "g", Conditions: map[string]Condition{}, Problems: []string{
			"spec.schedulingPolicy.gang.minCount: want a 32-bit whole number, got string 4",
			"spec.priority: want a 32-bit whole number, got float64 1.5",
			"spec.priorityClassName: want text, got float64 7",
			"status.conditions: want a condition with a type, got map[string]interface {} map[status:True]",
			"status.conditions: want a condition with a type, got float64 3",
		}}},
		{"nothing at all", `{}`, Group{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := d.Read(object(t, tc.object), d.GangResource())
			if !ok || !reflect.DeepEqual(got, tc.want) {
				t.Errorf("read %+v\nwant %+v", got, tc.want)
			}
		})
	}
	if _, ok := d.Read(map[string]any{}, schema.GroupVersionResource{Version: "v1", Resource: "pods"}); ok {
		t.Error("a pod was read as a gang")
	}
}

func TestReadForeign(t *testing.T) {
	d := foreign(t)
	crew := func(phase string) Group {
		g, ok := d.Read(object(t, `
metadata: {name: g, namespace: ns, annotations: {gangs.example.com/class: high}}
spec: {rules: [{atLeast: 4}], near: rack, evict: together, fleet: up}
status: {rank: 9, phase: "`+phase+`", history: [{type: Seen, status: "True"}]}
`), d.GangResource())
		if !ok || len(g.Problems) > 0 {
			t.Fatalf("read %+v", g)
		}
		return g
	}
	want := Group{
		Namespace: "ns", Name: "g", Quorum: 4, Priority: 9, PriorityClass: "high", Parent: "up", TopologyKey: "rack", DisruptAll: true,
		Conditions: map[string]Condition{"Seen": {Status: "True"}},
	}
	for phase, status := range map[string]string{"Placed": "True", "Done": "True", "Queued": "False", "Strange": "Unknown", "": ""} {
		want.Satisfied = Condition{Status: status, Reason: phase}
		if got := crew(phase); !reflect.DeepEqual(got, want) {
			t.Errorf("phase %q: read %+v\nwant %+v", phase, got, want)
		}
	}
	if g, _ := d.Read(object(t, `{spec: {}}`), d.GangResource()); g.Quorum != 1 {
		t.Errorf("quorum %d where the object says none; want the default 1", g.Quorum)
	}
	if g, _ := d.Read(object(t, `{spec: {mode: Loose, rules: [{atLeast: 4}]}}`), d.GangResource()); !g.Basic || g.Quorum != 0 {
		t.Errorf("loose crew read as %+v", g)
	}
}

func TestMember(t *testing.T) {
	name := "g"
	for _, tc := range []struct {
		name            string
		pod             corev1.Pod
		native, foreign string
	}{
		{"plain", corev1.Pod{}, "", ""},
		{"field", corev1.Pod{Spec: corev1.PodSpec{SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &name}}}, "g", ""},
		{"empty field", corev1.Pod{Spec: corev1.PodSpec{SchedulingGroup: &corev1.PodSchedulingGroup{}}}, "", ""},
		{"label", corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"gangs.example.com/crew": "c"}}}, "", "c"},
		{"other label", corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"crew": "c"}}}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data, err := json.Marshal(&tc.pod)
			if err != nil {
				t.Fatal(err)
			}
			raw := object(t, string(data))
			for d, want := range map[*Dialect]string{native(t): tc.native, foreign(t): tc.foreign} {
				typed, ok := d.Member(&tc.pod)
				if typed != want || ok != (want != "") {
					t.Errorf("%s: member of %q, %v; want %q", d.Name(), typed, ok, want)
				}
				if fromRaw, ok := d.MemberRaw(raw); fromRaw != want || ok != (want != "") {
					t.Errorf("%s: raw member of %q, %v; want %q", d.Name(), fromRaw, ok, want)
				}
			}
		})
	}
}

func TestPath(t *testing.T) {
	obj := object(t, `{a: {b: [{c: 1}, {d/e.f: x}], "null": null}, "0": zero}`)
	for path, want := range map[string]any{
		"a.b[0].c": 1.0, `a.b[1]["d/e.f"]`: "x", "0": "zero", `["a"].b[0]["c"]`: 1.0,
		"a.b[2]": nil, "a.c": nil, "a.b.c": nil, "a[0]": nil, "a.null": nil, "a.b[0].c.d": nil,
	} {
		p, err := ParsePath(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		got, ok := p.Get(obj)
		if !reflect.DeepEqual(got, want) || ok != (want != nil) {
			t.Errorf("%s leads to %v, %v; want %v", path, got, ok, want)
		}
	}
	for _, bad := range []string{"", ".", ".a", "a.", "a..b", "a[", "a[]", "a[x]", "a[-1]", `a["`, `a[""]`, "a]b", "a b", "a[0]b", "a[99999999]"} {
		if p, err := ParsePath(bad); err == nil {
			t.Errorf("%q is a path: %v", bad, p)
		} else if bad != "" && !strings.Contains(err.Error(), strconv.Quote(bad)) {
			t.Errorf("%q: the error does not name it: %v", bad, err)
		}
	}
}
