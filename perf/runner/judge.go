package runner

import (
	"fmt"

	"muster/perf/results"
	"muster/suites"
	"muster/suites/check"
	"muster/suites/history"
	"muster/suites/requirements"
	"muster/suites/run/fold"
)

// judging holds the rules against the runs of an invocation.
type judging struct {
	levels map[string]suites.Level
	known  []fold.KnownFinding
}

func newJudging() (*judging, error) {
	all, err := requirements.All()
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	j := &judging{levels: map[string]suites.Level{}}
	for _, r := range all {
		j.levels[r.ID] = r.Level
	}
	if j.known, err = fold.BuiltinKnown(); err != nil {
		return nil, err
	}
	return j, nil
}

// judge runs every check over a view.
func (j *judging) judge(v *history.View, p history.SchedulerProfile) *results.Verdicts {
	out := &results.Verdicts{}
	for _, f := range check.Judge(v) {
		switch {
		case f.Verdict == suites.Pass:
			out.Passed++
			continue
		case f.Verdict != suites.Fail:
			out.Inconclusive++
		case j.isKnown(f, p):
			out.Known++
		case j.levels[f.Requirement] == suites.Must || j.levels[f.Requirement] == "":
			out.Failed++ // a rule that is not in the catalogue is not excused for that
		default:
			out.Warnings++
		}
		out.Findings = append(out.Findings, f)
	}
	return out
}

// isKnown reports whether the list of known findings names it for this scheduler.
func (j *judging) isKnown(f suites.Finding, p history.SchedulerProfile) bool {
	for _, k := range j.known {
		if (k.Scheduler == "*" || k.Scheduler == p.Name) && (k.Version == "*" || k.Version == p.Version) &&
			k.Requirement == f.Requirement && k.Check == f.Check {
			return true
		}
	}
	return false
}
