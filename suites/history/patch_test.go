package history

import (
	"encoding/json"
	"reflect"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"equal", `{"a":1,"b":{"c":[1]}}`, `{"a":1,"b":{"c":[1]}}`, ``},
		{"changed", `{"a":1}`, `{"a":2}`, `{"a":2}`},
		{"added", `{}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{"removed", `{"a":1,"b":2}`, `{"b":2}`, `{"a":null}`},
		{"nested", `{"a":{"b":1,"c":2}}`, `{"a":{"b":1,"c":3}}`, `{"a":{"c":3}}`},
		{"nested removed", `{"a":{"b":1,"c":2}}`, `{"a":{"b":1}}`, `{"a":{"c":null}}`},
		{"lists are replaced whole", `{"a":[1,2]}`, `{"a":[1,3]}`, `{"a":[1,3]}`},
		{"value to map", `{"a":1}`, `{"a":{}}`, `{"a":{}}`},
		{"map to value", `{"a":{"b":1}}`, `{"a":1}`, `{"a":1}`},
		{"number to text", `{"a":1}`, `{"a":"1"}`, `{"a":"1"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to := object1(t, c.from), object1(t, c.to)
			got := Diff(from, to)
			if c.want == "" {
				if got != nil {
					t.Errorf("Diff = %v, want none", got)
				}
				return
			}
			if want := object1(t, c.want); !reflect.DeepEqual(got, want) {
				t.Errorf("Diff = %v, want %v", got, want)
			}
			if back := Apply(from, got); !reflect.DeepEqual(back, to) {
				t.Errorf("Apply = %v, want %v", back, to)
			}
		})
	}
}

func object1(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := utiljson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// jsonObject draws a decoded JSON object without nulls.
func jsonObject() *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any { return drawMap(t, 3) })
}

func drawMap(t *rapid.T, depth int) map[string]any {
	out := map[string]any{}
	for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 4, rapid.ID).Draw(t, "keys") {
		out[k] = drawValue(t, depth)
	}
	return out
}

func drawValue(t *rapid.T, depth int) any {
	kinds := 4
	if depth == 0 {
		kinds = 2
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return rapid.Int64Range(0, 3).Draw(t, "number")
	case 1:
		return rapid.SampledFrom([]string{"", "x", "<&>"}).Draw(t, "text")
	case 2:
		return rapid.Bool().Draw(t, "bool")
	case 3:
		list := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "length") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	return drawMap(t, depth-1)
}

// The patch of two objects turns the one into the other, here and in a library that others would read it with, and
// leaves both as they were.
func TestDiffApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := jsonObject().Draw(t, "from"), jsonObject().Draw(t, "to")
		keepFrom, keepTo := runtime.DeepCopyJSON(from), runtime.DeepCopyJSON(to)
		patch := Diff(from, to)
		if (patch == nil) != reflect.DeepEqual(from, to) {
			t.Fatalf("Diff = %v for %v and %v", patch, from, to)
		}
		if got := Apply(from, patch); !reflect.DeepEqual(got, to) {
			t.Fatalf("Apply(%v, %v) = %v, want %v", from, patch, got, to)
		}
		if !reflect.DeepEqual(from, keepFrom) || !reflect.DeepEqual(to, keepTo) {
			t.Fatal("Diff or Apply changed what it was given")
		}
		if patch == nil {
			return
		}
		theirs, err := jsonpatch.MergePatch(bytesOf(t, from), bytesOf(t, patch))
		if err != nil {
			t.Fatal(err)
		}
		if !jsonpatch.Equal(theirs, bytesOf(t, to)) {
			t.Fatalf("the library makes %s of it, want %s", theirs, bytesOf(t, to))
		}
	})
}

func bytesOf(t *rapid.T, v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWithoutNulls(t *testing.T) {
	got := object1(t, `{"a":null,"b":{"c":null,"d":1},"e":[{"f":null,"g":2},null,3]}`)
	WithoutNulls(got)
	if want := object1(t, `{"b":{"d":1},"e":[{"g":2},null,3]}`); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
