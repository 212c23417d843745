package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/perf/measure"
	"muster/perf/scenario"
)

// literals are the texts that stand in a source file, but for what it imports and the tags of fields.
func literals(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// Whatever a report calls something by is explained in the page about it: values, labels and reasons, columns, with the limits
// that decide.
func TestThePageExplainsTheReport(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	explained := func(what, name string) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the %s %s is not explained in docs/performance.md", what, name)
		}
	}
	// Names of values: what values.go writes down, without units and what is only put behind or before another.
	units := []string{"sec", "ratio", "pods", "calls", "B", "gpu-sec", "-sec", "-p99-sec"}
	stems := []string{"gang-first", "gang-ready", "gang-last", "verdict", "reclaim"}
	found := 0
	for _, text := range literals(t, "values.go") {
		if text == "" || slices.Contains(units, text) {
			continue
		}
		found++
		switch phase, behind := strings.CutPrefix(text, ":"); {
		case behind && phase == "gang-ready": // only its percentile has that name
			explained("value", "PHASE:gang-ready-p99-sec")
		case behind:
			explained("value", "PHASE:"+phase)
		case slices.Contains(stems, text):
			explained("value", text+"-p99-sec")
		default:
			explained("value", text)
		}
	}
	if found < 40 {
		t.Errorf("only %d names were found in values.go", found)
	}
	for _, f := range scenario.Figures {
		explained("figure", string(f))
		explained("value", f.Unit().Unit)
	}
	kind := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	kinds := []string{Failed, Unmeasured}
	for _, text := range literals(t, filepath.Join("..", "measure", "validity.go")) {
		if kind.MatchString(text) && text != "pods" && text != "gangs" {
			kinds = append(kinds, text)
		}
	}
	if len(kinds) < 18 || !slices.Contains(kinds, string(measure.HeavyHarness)) {
		t.Errorf("the kinds that were found are %v", kinds)
	}
	for _, k := range kinds {
		explained("label or reason", k)
	}
	for _, source := range []string{measure.LagOfProbes, measure.LagOfCreations} {
		explained("source of the lag", source)
	}
}
