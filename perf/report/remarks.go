package report

import (
	"muster/perf/measure"
	"muster/perf/results"
	"muster/reports/v1alpha1"
)

// Remarks are why a run is no measurement, and what to know about the figures of one that is, each with its kind.
func Remarks(r *results.Run) (problems, labels []v1alpha1.PerfProblem) {
	problem := func(kind, message string) {
		problems = append(problems, v1alpha1.PerfProblem{Kind: kind, Message: message})
	}
	if r.Error != "" {
		problem(Failed, r.Error)
	}
	if r.Incomplete && (r.Result == nil || !r.Result.Validity.Has(measure.Interrupted)) {
		problem(string(measure.Interrupted), "the run was interrupted; what was measured until then is kept")
	}
	if r.Result == nil {
		if len(problems) == 0 {
			problem(Unmeasured, "nothing was measured")
		}
		return problems, nil
	}
	for _, p := range r.Result.Validity.Problems {
		problem(string(p.Kind), p.Message)
	}
	for _, l := range r.Result.Validity.Labels {
		labels = append(labels, v1alpha1.PerfProblem{Kind: string(l.Kind), Message: l.Message})
	}
	return problems, labels
}

// Kinds of problems beside those of package measure.
const (
	// Failed: the run could not be made, or not to its end.
	Failed = "error"
	// Unmeasured: there is nothing that says why there are no figures.
	Unmeasured = "unmeasured"
)
