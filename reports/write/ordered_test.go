package write

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

func TestOrderedKeepsTheOrder(t *testing.T) {
	got, err := ordered([]byte(`{"z": 1, "a": [{"y": "yes", "b": []}, {"x": {}}, [1, 2]], "m": {"n": null, "c": "1\n2", "d": "no: it"}}`))
	want := `z: 1
a:
  - "y": "yes"
    b: []
  - x: {}
  - - 1
    - 2
m:
  "n": null
  c: "1\n2"
  d: 'no: it'
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// A long text stays on its line, since the next one would have to be indented further than its key.
func TestOrderedFoldsNothing(t *testing.T) {
	long := strings.Repeat("a word: and ", 30)
	data, err := json.Marshal(map[string]any{"a": []any{map[string]any{"text": long, "more": strings.ToUpper(long)}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := ordered(data)
	if lines := strings.Count(string(got), "\n"); err != nil || lines != 3 {
		t.Errorf("%v, %d lines:\n%s", err, lines, got)
	}
}

// Whatever a report holds is read back as it was.
func TestOrderedLosesNothing(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "yes", "1", "1e3", "a: b", "- x", "a\nb", " x ", "#", "~", "null", "\u2028", "2026-01-01"}))
	scalar := rapid.OneOf(rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.IntRange(-1e6, 1e6), func(i int) any { return float64(i) }))
	value := scalar
	for range 3 {
		inner := value
		value = rapid.OneOf(scalar,
			rapid.Map(rapid.SliceOfN(inner, 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(text, inner, 0, 3), func(m map[string]any) any { return m }))
	}
	rapid.Check(t, func(t *rapid.T) {
		v := map[string]any{"v": value.Draw(t, "value")}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var want, back any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		out, err := ordered(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(out, &back); err != nil || !reflect.DeepEqual(want, back) {
			t.Fatalf("%v: %#v became %#v by way of\n%s", err, want, back, out)
		}
	})
}
