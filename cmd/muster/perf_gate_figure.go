package main

import (
	"cmp"
	"fmt"
	"slices"

	"muster/fakes/undertest"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// unanswered says why a gate on this figure would decide nothing, and blames the flag by which it was asked for: without
// --figure it is the scenario's own.
func (f *gateFlags) unanswered(sized *scenario.Sized, sides []runner.Side) error {
	asked := "--scenario " + sized.Name
	if f.figure != "" {
		asked = "--figure " + string(f.figure)
	}
	if err := sized.Has(sized.Figure); err != nil {
		return fmt.Errorf("%s: %w; it can be of %s", asked, err, join(figuresOf(sized)))
	}
	ceiling := runner.Side{Name: results.Ceiling, Scheduling: undertest.Options{Scheduler: undertest.Ceiling}}
	if err := ceiling.Answers(sized); err != nil && (f.store != "" || f.baseline != "") {
		instead := "there is none for this load"
		if can := figuresOf(sized, ceiling); len(can) > 0 {
			instead = "it can be of " + join(can)
		}
		return fmt.Errorf("%s: a baseline holds fractions of the ceiling: %w; %s; run both builds instead (--base, --base-exec)", asked, err, instead)
	}
	var first error
	for _, side := range sides {
		first = cmp.Or(first, side.Answers(sized))
	}
	return fmt.Errorf("%s: %w", asked, first)
}

// figuresOf are those a load has, and each of the sides an answer to.
func figuresOf(sized *scenario.Sized, sides ...runner.Side) []scenario.Figure {
	return slices.DeleteFunc(slices.Clone(scenario.Figures), func(figure scenario.Figure) bool {
		by := sized.By(figure)
		return by.Has(figure) != nil || slices.ContainsFunc(sides, func(s runner.Side) bool { return s.Answers(by) != nil })
	})
}
