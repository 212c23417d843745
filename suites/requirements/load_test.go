package requirements

import (
	"strings"
	"testing"
	"testing/fstest"

	"muster/suites"
)

func TestTheCatalogueLoads(t *testing.T) {
	reqs, err := All()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[suites.Level]int{}
	for _, r := range reqs {
		counts[r.Level]++
	}
	t.Logf("%d requirements: %v", len(reqs), counts)
	if judged := counts[suites.Must] + counts[suites.Should]; judged < 40 {
		t.Errorf("%d MUST and SHOULD, want at least 40", judged)
	}
	for _, p := range Profiles() {
		if len(Core(reqs, p.Name)) == 0 {
			t.Errorf("profile %s has no core: it could never be conformant", p.Name)
		}
	}
}

const goodSources = `
sources:
  s: {kind: api-doc, ref: a T.f, url: "https://example.org/blob/v1.37.2/types.go", quote: It must.}
`

func TestLoadingRefuses(t *testing.T) {
	good := `{id: BASIC-001, title: T, text: One sentence., level: MUST, sources: [s]}`
	tests := []struct {
		name, sources, area, want string
	}{
		{"nothing, when all is well", goodSources, header() + "- " + good, ""},
		{"an unknown field", goodSources, header() + `- {id: BASIC-001, titel: T}`, "titel"},
		{"an unknown field of a source", strings.ReplaceAll(goodSources, "quote", "qoute"), header() + "- " + good, "qoute"},
		{"a source that is not there", goodSources, header() + strings.ReplaceAll("- "+good, "[s]", "[s, x]"), `source "x"`},
		{"a source nobody uses", goodSources + "  t: {kind: kep, ref: K}\n", header() + "- " + good, `"t"`},
		{"an ID of another area", goodSources, header() + strings.ReplaceAll("- "+good, "BASIC", "COND"), "area BASIC"},
		{"the same ID twice", goodSources, header() + "- " + good + "\n- " + good, "defined twice"},
		{"broken YAML", goodSources, header() + "- {", "parsing basic.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(fstest.MapFS{
				"sources.yaml": {Data: []byte(tt.sources)},
				"basic.yaml":   {Data: []byte(tt.area)},
			})
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("load: %v", err)
			case tt.want != "" && err == nil:
				t.Errorf("load accepted it, want an error with %q", tt.want)
			case tt.want != "" && !strings.Contains(err.Error(), tt.want):
				t.Errorf("load: %v, want an error with %q", err, tt.want)
			}
		})
	}
	t.Run("a folder without sources", func(t *testing.T) {
		if _, err := load(fstest.MapFS{"basic.yaml": {Data: []byte(header())}}); err == nil {
			t.Error("load accepted it")
		}
	})
}

func header() string {
	return "area: BASIC\nprofile: basic\nmaturity: Beta\ngates: [GenericWorkload]\nrequirements:\n"
}

func TestAreaDefaultsCanBeReplaced(t *testing.T) {
	reqs, err := load(fstest.MapFS{
		"sources.yaml": {Data: []byte(goodSources)},
		"basic.yaml": {Data: []byte(header() + `
- {id: BASIC-002, title: T, text: Two., level: MUST, sources: [s], maturity: Stable, gates: []}
- {id: BASIC-001, title: T, text: One., level: MUST, sources: [s]}
`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if reqs[0].ID != "BASIC-001" || reqs[0].Maturity != suites.Beta || len(reqs[0].Gates) != 1 {
		t.Errorf("first: %+v, want BASIC-001 with the area's maturity and gates", reqs[0])
	}
	if reqs[1].Maturity != suites.Stable || len(reqs[1].Gates) != 0 {
		t.Errorf("second: %+v, want Stable without gates", reqs[1])
	}
}
