package runner

import (
	"errors"
	"fmt"

	"muster/fakes/undertest"
	"muster/perf/scenario"
)

// ErrNoAnswer is wrapped by Answers.
var ErrNoAnswer = errors.New("it has no answer to the scenario")

// Answers says why a run of the scenario with this side would measure nothing, whatever happened in it; nil where it may.
// Run leaves such runs out.
func (s Side) Answers(sized *scenario.Sized) error {
	no := func(format string, args ...any) error {
		return fmt.Errorf("%s with %s: %w: %s", sized.Name, s.Name, ErrNoAnswer, fmt.Sprintf(format, args...))
	}
	ceiling := s.Scheduling.Scheduler == undertest.Ceiling
	switch subject := sized.Subject(); {
	case ceiling && (subject == scenario.Reclaim || subject == scenario.TimeToVerdict):
		return no("it makes no decision, so it evicts nobody and tells nobody why it waits")
	case ceiling && sized.Figure == scenario.Solve:
		return no("%s is the time a scheduler's algorithm takes, and it has none", scenario.Solve)
	case sized.Figure == scenario.Solve && !s.Scheduling.TellsMetrics():
		return no("%s is read off a scheduler's own histograms, and nobody says where it serves them (metrics: of its profile); %s needs none",
			scenario.Solve, scenario.SchedulerCPU)
	}
	if err := sized.Has(sized.Figure); err != nil {
		return no("%v", err)
	}
	return nil
}
