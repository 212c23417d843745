package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muster/fakes/undertest"
	"muster/perf/ceiling"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// sideOf is a side by its kind, or by the command that is it. The reference scheduler has as many requests under way as the
// ceiling: what is compared is what they decide, and on few cores more would make the observer late.
func sideOf(name, kind, command string) runner.Side {
	s := runner.Side{Name: name, Scheduling: undertest.Options{Scheduler: kind, Exec: command}}
	switch {
	case command != "":
		s.Scheduling.Scheduler = ""
	case kind == undertest.Reference || strings.HasPrefix(kind, undertest.MutantPrefix):
		s.Scheduling.Args = []string{"--bind-parallel=" + strconv.Itoa(ceiling.DefaultConcurrency)}
	}
	s.Unjudged = kind == results.Ceiling && command == ""
	return s
}

// limitCommands notes which client limits commands were given.
func (f *perfFlags) limitCommands(sides []runner.Side) error {
	commands := 0
	for i := range sides {
		if sides[i].Scheduling.Exec == "" {
			continue
		}
		commands++
		if f.execQPS > 0 {
			sides[i].Client.QPS, sides[i].Client.Burst = f.execQPS, int(2*f.execQPS)
		}
	}
	if f.execQPS > 0 && commands == 0 {
		return fmt.Errorf("--exec-client-qps %v: no side is a command; --client-qps is the limit of built-in schedulers", f.execQPS)
	}
	return nil
}

// answered refuses scenarios of which nothing would be measured, or not what the verb needs.
func (f *perfFlags) answered(scenarios []*scenario.Sized, sides []runner.Side) error {
	for _, sized := range scenarios {
		var first error
		silent := 0
		for _, side := range sides {
			err := side.Answers(sized)
			if err == nil {
				continue
			}
			if slices.Contains(f.needed, side.Name) {
				return fmt.Errorf("--scenario: without %s there would be nothing to say: %w", side.Name, err)
			}
			silent++
			first = cmp.Or(first, err)
		}
		if silent == len(sides) {
			return fmt.Errorf("--scenario: there would be nothing to measure: %w", first)
		}
	}
	return nil
}

// clueless are warnings of commands that are not told which cluster is theirs: most would schedule for another, or for none.
func clueless(sides []runner.Side) []string {
	var out []string
	for _, side := range sides {
		if c := side.Scheduling.Exec; c != "" && !strings.Contains(c, ".Kubeconfig") {
			out = append(out, fmt.Sprintf("side %s: there is no {{.Kubeconfig}} in its command, so that it finds the cluster only if it looks at the variable KUBECONFIG: %s", side.Name, c))
		}
	}
	return out
}
