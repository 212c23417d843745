package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"muster/perf/results"
	"muster/perf/runner"
)

// answering bounds how long an executable may take to say what it is.
const answering = time.Minute

// builds asks the executables of muster that were named as sides which revision they are, so that the report says what was
// measured. One that does not answer is no muster, and is refused before anything is started.
func builds(ctx context.Context, sides []runner.Side) error {
	for i := range sides {
		if sides[i].Scheduling.Binary == "" {
			continue
		}
		v, err := versionsOf(ctx, sides[i].Scheduling.Binary)
		if err != nil {
			return fmt.Errorf("--%s %s: it is no executable of muster (--%s-exec is for other commands): %w", sides[i].Name, sides[i].Build.Path, sides[i].Name, err)
		}
		sides[i].Build.Revision, sides[i].Build.Kubernetes = v.Revision, v.Kubernetes
	}
	return nil
}

// versionsOf is what an executable of muster answers to muster version.
func versionsOf(ctx context.Context, binary string) (v versions, err error) {
	ctx, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "version", "-o", "json")
	cmd.WaitDelay = time.Second // a script's child may outlive it, and hold the pipe
	said, err := cmd.Output()
	if err != nil {
		return v, fmt.Errorf("asked for its version, it failed: %w", err)
	}
	if err := json.Unmarshal(said, &v); err != nil || v.Revision == "" {
		return v, errors.New("asked for its version, it does not say which revision it is")
	}
	return v, nil
}

// revisions of the sides of a gate, for its last line: " base=0123 head=4567". Empty where none is known.
func revisions(r *results.Record) string {
	var out []string
	for _, s := range r.Sides {
		if (s.Name == baseSide || s.Name == headSide) && s.Revision != "" {
			out = append(out, s.Name+"="+s.Revision)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + strings.Join(out, " ")
}
