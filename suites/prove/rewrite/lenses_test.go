package rewrite

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func decoded(t testing.TB, text string) Object {
	t.Helper()
	var o Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// With changes what At finds and nothing else, and not the object it was given.
func TestWithAndAt(t *testing.T) {
	for _, tt := range []struct {
		name, from, to string
		value          any
		path           []string
	}{
		{"another value", `{"a":{"b":1,"c":2}}`, `{"a":{"b":9,"c":2}}`, 9.0, []string{"a", "b"}},
		{"taken away", `{"a":{"b":1,"c":2}}`, `{"a":{"c":2}}`, nil, []string{"a", "b"}},
		{"not there yet", `{}`, `{"a":{"b":"x"}}`, "x", []string{"a", "b"}},
		{"through what is no object", `{"a":3}`, `{"a":{"b":"x"}}`, "x", []string{"a", "b"}},
		{"at the top", `{"a":3}`, `{}`, nil, []string{"a"}},
	} {
		before := decoded(t, tt.from)
		got := With(before, tt.value, tt.path...)
		if !reflect.DeepEqual(got, decoded(t, tt.to)) {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.to)
		}
		if !reflect.DeepEqual(before, decoded(t, tt.from)) {
			t.Errorf("%s: the object it was given is now %v", tt.name, before)
		}
		if At(got, tt.path...) != tt.value {
			t.Errorf("%s: there stands %v", tt.name, At(got, tt.path...))
		}
	}
}

func TestPicks(t *testing.T) {
	o := decoded(t, `{"metadata":{"name":"n","ownerReferences":[{"name":"x"},{"name":"y"}]}}`)
	for what, got := range map[string]bool{
		"owned by its second owner": OwnedBy("y")(o), "named": Named("m", "n")(o), "both": Both(OwnedBy("x"), Named("n"))(o),
		"not owned": !OwnedBy("n")(o), "owned by nobody": !OwnedBy("x")(Object{}), "not named": !Named("x")(o),
		"one of two": !Both(OwnedBy("x"), Named("m"))(o),
	} {
		if !got {
			t.Errorf("%s: no", what)
		}
	}
}

func TestLensesOnWhatIsPicked(t *testing.T) {
	mine, other := decoded(t, `{"metadata":{"name":"a"},"v":1}`), decoded(t, `{"metadata":{"name":"b"},"v":1}`)
	if got := Change(Named("a"), 2, "v").Show(mine); got["v"] != 2 {
		t.Errorf("changed into %v", got)
	}
	if got := Change(Named("a"), 2, "v").Show(other); got["v"] != 1.0 {
		t.Errorf("another became %v", got)
	}
	if Hide(Named("a")).Show(mine) != nil || Hide(Named("a")).Show(other) == nil {
		t.Error("hidden is what was not picked, or not what was")
	}
}

// numbered is an object of a namespace.
func numbered(namespace string, n, v int) Object {
	return Object{"metadata": Object{"namespace": namespace, "uid": fmt.Sprintf("%s-%d", namespace, n), "name": "x"}, "v": float64(v)}
}

// Whatever is looked at in whatever order and however often: the first n of a namespace are never picked, the others always.
func TestBeyond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3).Draw(t, "n")
		pick, order := Beyond(n, Named("x")), map[string][]int{}
		for range rapid.IntRange(1, 40).Draw(t, "looks") {
			ns, k := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "namespace"), rapid.IntRange(0, 5).Draw(t, "object")
			at := -1
			for i, known := range order[ns] {
				if known == k {
					at = i
				}
			}
			if at < 0 {
				at = len(order[ns])
				order[ns] = append(order[ns], k)
			}
			if got := pick(numbered(ns, k, 0)); got != (at >= n) {
				t.Fatalf("the object that came as number %d of %s is picked: %t, with n %d", at+1, ns, got, n)
			}
		}
		if pick(Object{"metadata": Object{"name": "y", "uid": "y"}}) {
			t.Fatal("what was not picked is")
		}
	})
}

func TestEver(t *testing.T) {
	pick := Ever(func(o Object) bool { return o["v"] == 1.0 })
	for i, tt := range []struct {
		object, value int
		want          bool
	}{{1, 0, false}, {1, 1, true}, {1, 0, true}, {2, 0, false}, {2, 1, true}, {1, 2, true}, {2, 0, true}} {
		if got := pick(numbered("a", tt.object, tt.value)); got != tt.want {
			t.Errorf("look %d: picked: %t, want %t", i, got, tt.want)
		}
	}
}

// Of an object that is picked the first good value is shown for ever after, of others what they hold.
func TestFrozen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		good := func(o Object) bool { return At(o, "v").(float64) >= 3 }
		lens := Frozen(func(o Object) bool { return At(o, "metadata", "namespace") == "a" }, good, "v")
		frozen := map[string]float64{}
		for range rapid.IntRange(1, 30).Draw(t, "looks") {
			ns, k := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "namespace"), rapid.IntRange(0, 2).Draw(t, "object")
			v := rapid.IntRange(0, 6).Draw(t, "value")
			key, want := fmt.Sprint(ns, k), float64(v)
			if old, ok := frozen[key]; ok {
				want = old
			} else if ns == "a" && v >= 3 {
				frozen[key] = want
			}
			if got := lens.Show(numbered(ns, k, v)); got["v"] != want {
				t.Fatalf("%s with %d is shown as %v, want %v", key, v, got["v"], want)
			}
		}
	})
}
