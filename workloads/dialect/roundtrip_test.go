package dialect

import (
	"encoding/json"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/workloads/build"
)

// gang is any gang that the dialect has words for.
func gang(t *rapid.T, d *Dialect) build.Gang {
	name := rapid.StringMatching(`[a-z][a-z0-9-]{0,8}[a-z0-9]`)
	maybe := rapid.OneOf(rapid.Just(""), name)
	g := build.Gang{
		Name: name.Draw(t, "name"), Namespace: name.Draw(t, "namespace"),
		Quorum:        rapid.Int32Range(1, 1<<30).Draw(t, "quorum"),
		Policy:        rapid.SampledFrom([]build.Policy{build.GangPolicy, build.BasicPolicy}).Draw(t, "policy"),
		PriorityClass: maybe.Draw(t, "priorityClass"), TopologyKey: maybe.Draw(t, "topologyKey"), Queue: maybe.Draw(t, "queue"),
		Labels: rapid.MapOfN(name, name, 0, 3).Draw(t, "labels"),
	}
	if d.said["disruptAll"] {
		g.DisruptAll = rapid.Bool().Draw(t, "disruptAll")
	}
	if rapid.Bool().Draw(t, "has a workload") {
		g.Workload, g.Template = name.Draw(t, "workload"), name.Draw(t, "template")
	}
	return g
}

// TestRenderThenRead: what a dialect writes it reads back, whatever is asked for.
func TestRenderThenRead(t *testing.T) {
	for _, d := range []*Dialect{native(t), foreign(t)} {
		t.Run(d.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := gang(t, d)
				obj := own(t, d, g)
				check(t, d, obj, g)
				if g.Policy == build.BasicPolicy {
					return
				}
				g.Quorum = rapid.Int32Range(1, 1<<30).Draw(t, "new quorum")
				gvr, patch, err := d.QuorumPatch(g.Name, g.Quorum)
				if err != nil || gvr != d.GangResource() {
					t.Fatalf("patch for %v: %v", gvr, err)
				}
				before, err := json.Marshal(obj)
				if err != nil {
					t.Fatal(err)
				}
				after, err := jsonpatch.MergePatch(before, patch)
				if err != nil {
					t.Fatal(err)
				}
				obj = nil
				if err := json.Unmarshal(after, &obj); err != nil {
					t.Fatal(err)
				}
				check(t, d, obj, g)
			})
		})
	}
}

// own is the gang's own object as the API server would give it back: through JSON.
func own(t *rapid.T, d *Dialect, g build.Gang) map[string]any {
	objs, err := d.Render(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objs {
		gvr, ok := d.ResourceOf(o.GroupVersionKind())
		if !ok {
			t.Fatalf("nobody knows where %v goes", o.GroupVersionKind())
		}
		if gvr != d.GangResource() {
			continue
		}
		if got := o.GetLabels(); len(got) != len(g.Labels) {
			t.Fatalf("labels %v; want %v", got, g.Labels)
		}
		data, err := o.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var obj map[string]any
		if err := json.Unmarshal(data, &obj); err != nil {
			t.Fatal(err)
		}
		return obj
	}
	t.Fatal("the gang's own object is not among those rendered")
	return nil
}

func check(t *rapid.T, d *Dialect, obj map[string]any, g build.Gang) {
	got, ok := d.Read(obj, d.GangResource())
	want := Group{
		Namespace: g.Namespace, Name: g.Name, Basic: g.Policy == build.BasicPolicy, Quorum: g.Quorum,
		PriorityClass: g.PriorityClass, TopologyKey: g.TopologyKey, DisruptAll: g.DisruptAll,
	}
	if want.Basic {
		want.Quorum = 0
	}
	switch {
	case !ok, len(got.Problems) > 0:
		t.Fatalf("read %v with problems %v", ok, got.Problems)
	case got.Namespace != want.Namespace, got.Name != want.Name, got.Basic != want.Basic, got.Quorum != want.Quorum,
		got.PriorityClass != want.PriorityClass, got.TopologyKey != want.TopologyKey, got.DisruptAll != want.DisruptAll:
		t.Fatalf("read %+v\nwant %+v", got, want)
	}
}

// TestJoinThenMember: whatever a pod has already, joining adds the membership and nothing else.
func TestJoinThenMember(t *testing.T) {
	for _, d := range []*Dialect{native(t), foreign(t)} {
		t.Run(d.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := rapid.StringMatching(`[a-z]{1,8}`)
				labels := rapid.MapOfN(text, text, 0, 3).Draw(t, "labels")
				pod := build.PodObject(build.Pod{Name: "p", Labels: labels, Shape: build.Shape{GPUs: 1}, Gates: []string{"x/y"}}, build.Defaults{})
				pod.Labels = labels // shared with whoever made it
				before := pod.DeepCopy()
				g := gang(t, d)
				var known *build.Gang
				if rapid.Bool().Draw(t, "known") {
					known = &g
				}
				if err := d.Join(pod, g.Name, known); err != nil {
					t.Fatal(err)
				}
				if got, ok := d.Member(pod); !ok || got != g.Name {
					t.Fatalf("joined %q, member of %q", g.Name, got)
				}
				if len(labels) != len(before.Labels) {
					t.Fatalf("labels shared with others were changed: %v", labels)
				}
				for k, v := range before.Labels {
					if pod.Labels[k] != v {
						t.Fatalf("label %s is %q; was %q", k, pod.Labels[k], v)
					}
				}
				pod.Spec.SchedulingGroup, pod.ObjectMeta = nil, before.ObjectMeta
				if pod.String() != before.String() {
					t.Fatalf("more than the membership changed:\n%v\n%v", pod, before)
				}
			})
		})
	}
}

func TestJoinForeignWithAndWithoutTheGang(t *testing.T) {
	d := foreign(t)
	for _, g := range []*build.Gang{nil, {Queue: "fast"}} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Annotations: map[string]string{"mine": "1"}}}
		if err := d.Join(pod, "c", g); err != nil {
			t.Fatal(err)
		}
		size, ok := pod.Annotations["gangs.example.com/size"]
		if ok != (g != nil) || ok && size != "fast" || pod.Annotations["mine"] != "1" {
			t.Errorf("gang %v: annotations %v", g, pod.Annotations)
		}
	}
}
