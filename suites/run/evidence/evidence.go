package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/fold"
)

// Write makes the folder dir/<scenario> for a scenario. log is the end of the scheduler's log; of it the lines from the
// scenario's time are kept, where their time can be told.
func Write(dir string, h *history.History, s fold.Scenario, log []string) error {
	scope, ok := h.FindScope(s.Name)
	if !ok {
		return fmt.Errorf("leaving evidence of %s: history %s does not contain it", s.Name, h.Name)
	}
	folder := filepath.Join(dir, s.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("leaving evidence of %s: %w", s.Name, err)
	}
	slice := h.Slice(scope)
	var lines bytes.Buffer
	if err := history.WriteAll(&lines, slice); err != nil {
		return fmt.Errorf("leaving evidence of %s: %w", s.Name, err)
	}
	objects, err := lastForms(slice)
	if err != nil {
		return fmt.Errorf("leaving evidence of %s: %w", s.Name, err)
	}
	files := map[string][]byte{
		"history.jsonl": lines.Bytes(),
		"objects.yaml":  objects,
		"seed":          again(h, scope),
		"findings.txt":  findings(s),
	}
	if len(log) > 0 {
		files["scheduler.log"] = logOf(log, slice)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return fmt.Errorf("leaving evidence of %s: %w", s.Name, err)
		}
	}
	return nil
}

// again says how to run the scenario with the same workload. It draws what it drew among others: its own seed depends
// on the run's and its name alone.
func again(h *history.History, scope history.Scope) []byte {
	return fmt.Appendf(nil, "--seed %d --scenario %s\n", h.Header.Seed, scope.Scenario)
}

// Wanted reports whether a scenario deserves a folder: it ran, and something about it did not pass.
func Wanted(s fold.Scenario) bool {
	switch s.Verdict() {
	case suites.Pass, suites.Observed, suites.Skipped, suites.NotSupported:
		return false
	}
	return true
}

func findings(s fold.Scenario) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "scenario %s: %s", s.Name, s.Status)
	if s.Reason != "" {
		fmt.Fprintf(&b, " (%s)", s.Reason)
	}
	b.WriteByte('\n')
	for _, f := range s.Normal() {
		fmt.Fprintf(&b, "%s %s", f.Verdict, f.Requirement)
		if f.Check != "" {
			fmt.Fprintf(&b, " [%s]", f.Check)
		}
		fmt.Fprintf(&b, ": %s", f.Message)
		if len(f.Objects) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(f.Objects, ", "))
		}
		if f.At.Seq > 0 {
			fmt.Fprintf(&b, " at event %d", f.At.Seq)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// lastForms is a YAML document for every object of the history in its last form, those that are gone included, in the
// order in which they were first seen.
func lastForms(h *history.History) ([]byte, error) {
	folder := history.NewFolder(&h.Header)
	last := map[string]history.Folded{}
	gone := map[string]int64{}
	var order []string
	for _, e := range h.Events {
		f, _ := folder.Fold(e) // what cannot be folded is a gap, and the findings say so
		if f.Whole == nil {
			continue
		}
		key := f.Resource + "/" + f.UID
		if _, seen := last[key]; !seen {
			order = append(order, key)
		}
		last[key] = f
		if f.Verb == history.VerbDeleted {
			gone[key] = f.Seq
		}
	}
	var b bytes.Buffer
	for _, key := range slices.Compact(order) {
		f := last[key]
		fmt.Fprintf(&b, "---\n# %s %s\n", f.ResourceName(), strings.TrimPrefix(f.Namespace+"/"+f.Name, "/"))
		if seq, ok := gone[key]; ok {
			fmt.Fprintf(&b, "# deleted at event %d\n", seq)
		}
		data, err := yaml.Marshal(f.Whole)
		if err != nil {
			return nil, fmt.Errorf("encoding %s: %w", key, err)
		}
		b.Write(data)
	}
	return b.Bytes(), nil
}
