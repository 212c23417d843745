package history

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"
)

// What a recorder writes, a reader folds to the same objects, whatever forms they took.
func TestFoldGivesTheObjects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Header{Storage: SingleEtcd}
		rec, read := NewFolder(&h), NewFolder(&h)
		for i := range rapid.IntRange(1, 20).Draw(t, "events") {
			uid := rapid.SampledFrom([]string{"u1", "u2", "u3"}).Draw(t, "uid")
			verb := rapid.SampledFrom([]string{VerbAdded, VerbModified, VerbModified, VerbDeleted}).Draw(t, "verb")
			whole := jsonObject().Draw(t, "object")
			want := runtime.DeepCopyJSON(whole)
			e := Event{Seq: int64(i + 1), Stream: "w", Origin: Watch, Verb: verb, Resource: "things", UID: uid, RV: "7"}
			live, err := rec.Record(e, whole)
			if err != nil {
				t.Fatal(err)
			}
			line, err := json.Marshal(live.Event)
			if err != nil {
				t.Fatal(err)
			}
			var stored Event
			if err := json.Unmarshal(line, &stored); err != nil {
				t.Fatal(err)
			}
			got, err := read.Fold(stored)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Whole, want) || !reflect.DeepEqual(live.Whole, want) {
				t.Fatalf("event %d: the reader has %v, the recorder %v, want %v", i+1, got.Whole, live.Whole, want)
			}
			if got.At != live.At {
				t.Fatalf("event %d lies at %v for the reader, at %v for the recorder", i+1, got.At, live.At)
			}
		}
	})
}

// A pod of which only the changed parts are decoded again equals one that is decoded whole.
func TestPartsDecodeLikeTheWhole(t *testing.T) {
	edits := []func(*corev1.Pod){
		on("n1"), on("n2"), gated, ungated, deleting, member("g"), refused("Unschedulable", "x"),
		phase(corev1.PodRunning), phase(""), func(p *corev1.Pod) { p.Labels = nil },
		func(p *corev1.Pod) { p.Spec = corev1.PodSpec{} }, func(p *corev1.Pod) { p.Status = corev1.PodStatus{} },
		func(p *corev1.Pod) { p.Status.NominatedNodeName = "n1" },
		func(p *corev1.Pod) { p.Status.Conditions = []corev1.PodCondition{} },
		func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodRunning
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, ObservedGeneration: 3,
				LastTransitionTime: metav1.NewTime(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)), LastProbeTime: metav1.Unix(7, 0)}}
		},
	}
	rapid.Check(t, func(rt *rapid.T) {
		tp := newTape(t, SingleEtcd)
		for range rapid.IntRange(2, 12).Draw(rt, "events") {
			tp.pod("a", rapid.SampledFrom(edits).Draw(rt, "edit"))
		}
		f := NewFolder(&tp.header)
		for _, e := range tp.events {
			got, err := f.Fold(e)
			if err != nil {
				rt.Fatal(err)
			}
			whole := &corev1.Pod{}
			if err := convert(got.Whole, whole); err != nil {
				rt.Fatal(err)
			}
			if !equality.Semantic.DeepEqual(got.Pod, whole) {
				rt.Fatalf("event %d: parts give %+v, the whole %+v", e.Seq, got.Pod, whole)
			}
		}
	})
}

func TestFoldDecodesNodes(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.node("n1", "p")
	tp.node("n1", "p", func(n *corev1.Node) { n.Spec.Unschedulable = true })
	tp.node("n1", "q", func(n *corev1.Node) { n.Status.Phase = corev1.NodeRunning })
	f := NewFolder(&tp.header)
	var got Folded
	for _, e := range tp.events {
		var err error
		if got, err = f.Fold(e); err != nil {
			t.Fatal(err)
		}
	}
	if !equality.Semantic.DeepEqual(got.Node, tp.nodes["n1"]) {
		t.Errorf("got %+v, want %+v", got.Node, tp.nodes["n1"])
	}
}

func TestFoldRefuses(t *testing.T) {
	base := Event{Stream: "w", Origin: Watch, Version: "v1", Resource: "pods", Namespace: "ns", Name: "a", UID: "u", RV: "5"}
	with := func(verb, object, patch string) Event {
		e := base
		e.Verb = verb
		if object != "" {
			e.Object = json.RawMessage(object)
		}
		if patch != "" {
			e.Patch = json.RawMessage(patch)
		}
		return e
	}
	for _, c := range []struct {
		name   string
		events []Event
		want   string // of the last event; empty: none
	}{
		{"a patch of nothing", []Event{with(VerbModified, "", `{"a":1}`)}, "has not shown before"},
		{"a patch after the end", []Event{with(VerbAdded, `{}`, ""), with(VerbDeleted, "", ""), with(VerbModified, "", `{"a":1}`)}, "has not shown before"},
		{"an object that is a list", []Event{with(VerbAdded, `[1]`, "")}, "reading the object"},
		{"an object that is null", []Event{with(VerbAdded, `null`, "")}, "not an object"},
		{"a patch that is text", []Event{with(VerbAdded, `{}`, ""), with(VerbModified, "", `"x"`)}, "reading the patch"},
		{"a pod with a spec of text", []Event{with(VerbAdded, `{"spec":"x"}`, "")}, "decoding pods ns/a"},
		{"a patch that turns a spec into text", []Event{with(VerbAdded, `{"spec":{}}`, ""), with(VerbModified, "", `{"spec":"x"}`)}, "not an object"},
		{"a pod whose node is a number", []Event{with(VerbAdded, `{}`, ""), with(VerbModified, "", `{"spec":{"nodeName":5}}`)}, "spec"},
		{"the end of something never seen", []Event{with(VerbDeleted, "", "")}, ""},
		{"a change of nothing", []Event{with(VerbAdded, `{}`, ""), with(VerbModified, "", "")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := NewFolder(&Header{})
			var got Folded
			var err error
			for i, e := range c.events {
				e.Seq = int64(i + 1)
				got, err = f.Fold(e)
			}
			if c.want == "" {
				if err != nil || len(got.Gaps) > 0 {
					t.Errorf("refused: %v, gaps %v", err, got.Gaps)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if len(got.Gaps) != 1 || got.Gaps[0].Resource != "pods" || !strings.Contains(got.Gaps[0].Why, c.want) {
				t.Errorf("gaps %+v, want one of pods that says so", got.Gaps)
			}
		})
	}
}
