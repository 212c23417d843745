package history

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

// Whatever pods were decoded before: what is shared is what would have been decoded.
func TestSharedPodsAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s sharing
		var prepare Preparer
		prepared, plain := NewFolder(&Header{}), NewFolder(&Header{})
		for i := range rapid.IntRange(1, 12).Draw(t, "pods") {
			spec := map[string]any{}
			maybe := func(key string, values ...any) {
				if n := rapid.IntRange(0, len(values)).Draw(t, key); n > 0 {
					spec[key] = values[n-1]
				}
			}
			group := func(name string) any { return map[string]any{"podGroupName": name} }
			maybe("schedulingGroup", group("a"), group("b"))
			maybe("hostname", "h1", "h2")
			maybe("nodeName", "n1", "n2")
			maybe("schedulerName", "s1", "s2")
			maybe("priority", int64(1), int64(2))
			maybe("containers", []any{map[string]any{"name": "a"}}, []any{map[string]any{"name": "a", "image": "i"}})
			whole := map[string]any{
				"metadata": map[string]any{"namespace": rapid.SampledFrom([]string{"x", "y"}).Draw(t, "namespace"), "name": string(rune('a' + i))},
				"status":   map[string]any{"phase": "Pending"},
			}
			if rapid.IntRange(0, 9).Draw(t, "has a spec") > 0 {
				whole["spec"] = spec
			}
			var got, want corev1.Pod
			if err := convert(whole, &want); err != nil {
				t.Fatal(err)
			}
			if err := s.decode(whole, &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("pod %d:\n%+v\nwant\n%+v", i, got.Spec, want.Spec)
			}
			raw, err := encode(whole)
			if err != nil {
				t.Fatal(err)
			}
			e := Event{Seq: int64(i + 1), Stream: "s", Origin: Watch, Verb: VerbAdded, Version: "v1", Resource: "pods", UID: want.Name, Object: raw}
			slow, err := plain.Fold(e)
			if err != nil {
				t.Fatal(err)
			}
			prepare.Prepare(&e)
			if fast, err := prepared.Fold(e); err != nil || e.pod == nil || !reflect.DeepEqual(fast.Pod, slow.Pod) {
				t.Fatalf("pod %d, prepared: %v\n%+v\nwant\n%+v", i, err, fast.Pod, slow.Pod)
			}
		}
	})
}
