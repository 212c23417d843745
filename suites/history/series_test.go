package history

import (
	"maps"
	"testing"
)

func TestParseSeries(t *testing.T) {
	tests := []struct {
		key    string
		name   string
		labels map[string]string
		bad    bool
	}{
		{key: "up", name: "up"},
		{key: "up{}", name: "up", labels: map[string]string{}},
		{key: `a{b="c"}`, name: "a", labels: map[string]string{"b": "c"}},
		{key: `a{b="c", d="e,}\"\\",}`, name: "a", labels: map[string]string{"b": "c", "d": `e,}"\`}},
		{key: ` a { b = "c" } `, name: "a", labels: map[string]string{"b": "c"}},
		{key: `{b="c"}`, bad: true}, {key: "", bad: true}, {key: `a{b}`, bad: true}, {key: `a{b="c}`, bad: true},
		{key: `a{b="c" d="e"}`, bad: true}, {key: `a{`, bad: true},
	}
	for _, tc := range tests {
		t.Run(tc.key, func(t *testing.T) {
			s, err := ParseSeries(tc.key)
			if (err != nil) != tc.bad {
				t.Fatalf("%v", err)
			}
			if err == nil && (s.Name != tc.name || !maps.Equal(s.Labels, tc.labels)) {
				t.Errorf("%+v", s)
			}
		})
	}
}

func FuzzParseSeries(f *testing.F) {
	for _, seed := range []string{"up", `a{b="c",d="e"}`, `a{b="\n"`, "{", `a{,}`} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, key string) { _, _ = ParseSeries(key) })
}
