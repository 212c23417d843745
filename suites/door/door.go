package door

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// Labels of a requirement: its area (the prefix of its ID), level and maturity. Filters do not look at case.
func Labels(r suites.Requirement) []string {
	area, _, _ := strings.Cut(r.ID, "-")
	return []string{area, string(r.Level), string(r.Maturity)}
}

// Closed says why the door is closed: there is nothing to run. Empty: it is open.
func Closed(getenv func(string) string) string {
	switch {
	case getenv("MUSTER_BIN") != "":
		return ""
	case getenv("KUBECONFIG") != "":
		return "KUBECONFIG is set, but judging the scheduler of an existing cluster is later work: set MUSTER_BIN to a built muster (make build)"
	}
	return "neither MUSTER_BIN nor KUBECONFIG is set: build muster (make build) and set MUSTER_BIN=$PWD/bin/muster to run this suite"
}

// Args of the one execution: the requirements, the output directory, and what MUSTER_ARGS adds.
func Args(ids []string, out, further string) []string {
	args := []string{"conformance", "--output", "json", "--out", out, "--requirement", strings.Join(ids, ",")}
	return append(args, strings.Fields(further)...)
}

// Execute runs the binary and reads its report. Exit codes that come with a report (violations, inconclusive) are no
// errors here: the specs tell them.
func Execute(ctx context.Context, binary string, args []string) (*v1alpha1.ConformanceReport, error) {
	var stdout bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("executing %s: %w", binary, err)
	}
	var r v1alpha1.ConformanceReport
	if parse := json.Unmarshal(stdout.Bytes(), &r); parse != nil {
		return nil, fmt.Errorf("%s %s printed no report (%v): %w", binary, strings.Join(args, " "), err, parse)
	}
	return &r, nil
}

// Outcome is what a spec does with a verdict.
type Outcome int

const (
	// Passes, Fails and Skips are Ginkgo's; Remarks is a pass with something to say.
	Passes Outcome = iota
	Fails
	Skips
	Remarks
)

// OutcomeOf a requirement in a report: what gates fails, and so does what could not be decided; a warning, a known
// failure and an observation are remarks.
func OutcomeOf(r *v1alpha1.ConformanceReport, id string) (Outcome, string) {
	for _, q := range r.Requirements {
		if q.ID == id {
			return outcome(q)
		}
	}
	return Fails, "the report says nothing about " + id
}

func outcome(q v1alpha1.Requirement) (Outcome, string) {
	text := fmt.Sprintf("%s %s %s: %s", q.Level, q.ID, q.Verdict, q.Reason)
	switch {
	case q.Gating, q.Verdict == suites.Error, q.Verdict == suites.Inconclusive && q.Level != suites.May:
		return Fails, text
	case q.Verdict == suites.NotSupported, q.Verdict == suites.Skipped:
		return Skips, text
	case q.Verdict == suites.Pass:
		return Passes, text
	case q.Known != "":
		return Remarks, text + " (known: " + q.Known + ")"
	case q.Value != "":
		return Remarks, fmt.Sprintf("%s %s %s: %s", q.Level, q.ID, q.Verdict, q.Value)
	}
	return Remarks, text
}
