package requirements

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muster/suites"
)

// Where the API documentation of a Ref's first word lives: module and folder.
var documents = map[string]struct{ module, folder string }{
	"scheduling/v1beta1":  {"k8s.io/api", "scheduling/v1beta1"},
	"scheduling/v1alpha3": {"k8s.io/api", "scheduling/v1alpha3"},
	"core/v1":             {"k8s.io/api", "core/v1"},
	"meta/v1":             {"k8s.io/apimachinery", "pkg/apis/meta/v1"},
	"batch/v1":            {"k8s.io/api", "batch/v1"},
	"resource/v1":         {"k8s.io/api", "resource/v1"},
}

// Every quote of an API document stands in the Go type its Ref names, in the version this repository is built with.
func TestQuotesOfAPIDocuments(t *testing.T) {
	sources := apiDocs(t)
	for key, s := range sources {
		t.Run(key, func(t *testing.T) {
			version, field, ok := strings.Cut(s.Ref, " ")
			doc, known := documents[version]
			if !ok || !known {
				t.Fatalf("ref %q does not begin with one of the documents %v", s.Ref, documents)
			}
			typeName, _, ok := strings.Cut(field, ".")
			if !ok {
				t.Fatalf("ref %q is not of the form VERSION Type.field", s.Ref)
			}
			text := typeSource(t, doc.module, doc.folder, typeName)
			if !strings.Contains(prose(text), prose(s.Quote)) {
				t.Errorf("%s of %s does not say %q", typeName, doc.module, s.Quote)
			}
		})
	}
}

func apiDocs(t *testing.T) map[string]suites.Source {
	t.Helper()
	sources, err := loadSources(os.DirFS("data"))
	if err != nil {
		t.Fatal(err)
	}
	for key, s := range sources {
		if s.Kind != "api-doc" {
			delete(sources, key)
		}
	}
	if len(sources) == 0 {
		t.Fatal("the catalogue quotes no API document")
	}
	return sources
}

// typeSource is the source text of a type declaration, its comments included.
func typeSource(t *testing.T, module, folder, typeName string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("the source of %s is not on this machine (%v): run go mod download", module, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, folder, "types.go"))
	if err != nil {
		t.Skipf("the source of %s is not on this machine: %v", module, err)
	}
	decl := regexp.MustCompile(`(?ms)(?:^//[^\n]*\n)*^type ` + typeName + ` struct \{$.*?^\}$`).FindString(string(raw))
	if decl == "" {
		t.Fatalf("%s/%s/types.go declares no struct %s", module, folder, typeName)
	}
	return decl
}

var (
	markers = regexp.MustCompile(`(?m)^\s*//\s?(- )?`)
	spaces  = regexp.MustCompile(`\s+`)
)

// prose takes comment markers and line breaks away.
func prose(s string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(markers.ReplaceAllString(s, " "), " "))
}
