package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"muster/fakes/undertest"
	"muster/perf/report"
	"muster/perf/runner"
	"muster/reports/v1alpha1"
)

// A command that is not told of its cluster is warned of; a built-in scheduler needs no telling.
func TestCommandsWithoutAKubeconfigAreWarnedOf(t *testing.T) {
	side := func(name, command string) runner.Side {
		return runner.Side{Name: name, Scheduling: undertest.Options{Exec: command}}
	}
	got := clueless([]runner.Side{side("a", "/bin/x --kubeconfig {{.Kubeconfig}}"), side("b", "/bin/x"), side("c", "/bin/x {{ .Kubeconfig }}"), side("d", "")})
	if len(got) != 1 || !strings.HasPrefix(got[0], "side b: there is no {{.Kubeconfig}} in its command") {
		t.Errorf("%q", got)
	}
}

// What is printed as JSON or YAML is the report in its versioned form, the same as in the file.
func TestWhatIsPrintedIsTheReport(t *testing.T) {
	r := perfRecord(t, "x", "y")
	r.Command, r.Machine.CPUs = "muster perf compare", 2
	for i := range r.Sides {
		r.Sides[i].Kind = "reference"
	}
	dir := t.TempDir()
	if err := writePerf(dir, r); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(dir, report.YAMLFile))
	if err != nil {
		t.Fatal(err)
	}
	printed := func(output string) []byte {
		var out bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetOut(&out)
		if err := printPerf(cmd, r, &perfFlags{output: output}); err != nil {
			t.Fatal(err)
		}
		if _, err := v1alpha1.ParsePerf(out.Bytes()); err != nil {
			t.Errorf("%s: %v", output, err)
		}
		return out.Bytes()
	}
	if got := printed("yaml"); !bytes.Equal(got, file) {
		t.Errorf("%s; the file has\n%s", got, file)
	}
	stored, err := yaml.YAMLToJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	var want, got bytes.Buffer
	back, err := yaml.YAMLToJSON(printed("json"))
	if err != nil || json.Compact(&got, back) != nil || json.Compact(&want, stored) != nil || got.String() != want.String() {
		t.Errorf("%s (%v); the file has\n%s", got.String(), err, want.String())
	}
}
