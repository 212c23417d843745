package dialect

import (
	"encoding/json"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/workloads/build"
)

// FuzzParse: no text makes the parser panic, and what it accepts can be used.
func FuzzParse(f *testing.F) {
	f.Add([]byte(mini))
	for _, name := range []string{"native.yaml", "testdata/foreign.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse(data)
		if err != nil {
			return
		}
		g := build.Gang{Name: "g", Namespace: "ns", Quorum: 2}
		if _, err := d.Render(g); err != nil {
			t.Fatalf("an accepted dialect cannot render: %v", err)
		}
		pod := &corev1.Pod{}
		if err := d.Join(pod, g.Name, &g); err != nil {
			t.Fatalf("an accepted dialect cannot join: %v", err)
		}
		if _, _, err := d.QuorumPatch(g.Name, 3); err != nil {
			t.Fatalf("an accepted dialect cannot patch: %v", err)
		}
	})
}

// FuzzRead: no object makes the reader panic, and it never invents a quorum outside 32 bits or a status.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"g"},"spec":{"schedulingPolicy":{"gang":{"minCount":3}}},"status":{"conditions":[{"type":"PodGroupInitiallyScheduled","status":"True","lastTransitionTime":"x"}]}}`))
	f.Add([]byte(`{"metadata":[],"spec":{"schedulingPolicy":[],"rules":[{"atLeast":1e300}]},"status":{"phase":{},"conditions":{"a":1},"history":[null,[],{"type":7}]}}`))
	dialects := []*Dialect{native(f), foreign(f)}
	f.Fuzz(func(t *testing.T, data []byte) {
		var obj map[string]any
		if json.Unmarshal(data, &obj) != nil {
			return
		}
		for _, d := range dialects {
			g, ok := d.Read(obj, d.GangResource())
			if !ok || g.Basic && g.Quorum != 0 {
				t.Fatalf("%s read %+v", d.Name(), g)
			}
			d.MemberRaw(obj)
		}
	})
}

// FuzzPath: a path that parses prints as it was and parses again.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"a.b[0].c", `a["x.y/z"]`, "[0]", `["`, "a..b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePath(s)
		if err != nil {
			return
		}
		if p.String() != s || p.IsZero() {
			t.Fatalf("%q prints as %q", s, p)
		}
		p.Get(map[string]any{"a": []any{map[string]any{"b": 1}}})
	})
}
