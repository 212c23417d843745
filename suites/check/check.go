package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/suites"
	"muster/suites/history"
)

// Check is one invariant.
type Check struct {
	// ID is the requirement's: INV-nnn, or that of a requirement which every history can break.
	ID string
	// Name is the invariant's name, as in NoPartialAtRest.
	Name string
	// Rule is the sentence it enforces, quoted, with where it stands.
	Rule string
	// Func judges a view: one scenario's, or a whole history's. It is pure.
	Func func(v *history.View) []suites.Finding
}

// All are the checks, the invariants first.
func All() []Check {
	return []Check{
		noPartialAtRest, noBindWhenInfeasible, noOvercommit, progress,
		statusTruthful, priorityAtRest, workConserving, noCrash,
		noDoubleAllocation, oneDomain,
		preemptionJustified, preemptionAtomic, preemptionMinimal, noLivelock,
		claimLifecycle, placementHonoured, claimKept,
		satisfiedIsFinal, noPartialTree,
	}
}

// Judge runs every check over the view.
func Judge(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, c := range All() {
		out = append(out, c.Func(v)...)
	}
	return out
}

// lag is how long ago something may have happened without the scheduler having seen it when it decided. It is generous:
// watches deliver within milliseconds, and a decision and its bind may lie a second apart under load.
const lag = 5 * time.Second

// report gathers the findings of one check over one view.
type report struct {
	id, name string
	fails    []suites.Finding
	doubts   []suites.Finding
	passed   int
	lastPass string
	// why everything the check could say is in doubt; empty: nothing.
	blind string
}

// reportFor begins a report. relevant are the resources whose gaps put everything in doubt; groups says that gaps of
// the resources gangs are kept in do so too.
func reportFor(v *history.View, id, name string, groups bool, relevant ...string) *report {
	r := &report{id: id, name: name}
	for _, g := range v.Gaps {
		if g.Resource == "" || slices.Contains(relevant, g.Resource) || groups && strings.Contains(g.Resource, ".") {
			r.blind = fmt.Sprintf("events of %s may be missing: %s", orAll(g.Resource), g.Why)
			break
		}
	}
	return r
}

func orAll(resource string) string {
	if resource == "" {
		return "all resources"
	}
	return resource
}

func (r *report) fail(at history.Stamp, objects []string, format string, args ...any) {
	r.fails = append(r.fails, r.finding(suites.Failed(r.id, format, args...).With(at, objects...)))
}

func (r *report) doubt(at history.Stamp, objects []string, format string, args ...any) {
	r.doubts = append(r.doubts, r.finding(suites.Unproven(r.id, format, args...).With(at, objects...)))
}

// pass notes one thing that was looked at and held.
func (r *report) pass(format string, args ...any) {
	r.passed++
	r.lastPass = fmt.Sprintf(format, args...)
}

func (r *report) finding(f suites.Finding) suites.Finding {
	f.Check = r.name
	return f
}

// findings are what the check has to say; nothing if it had nothing to look at.
func (r *report) findings() []suites.Finding {
	if len(r.fails)+len(r.doubts)+r.passed == 0 {
		return nil
	}
	if r.blind != "" {
		f := suites.Unproven(r.id, "%s; without the gap it would have been %d failed, %d undecided, %d held",
			r.blind, len(r.fails), len(r.doubts), r.passed)
		return []suites.Finding{r.finding(f)}
	}
	out := append(r.fails, r.doubts...)
	switch {
	case r.passed == 1:
		out = append(out, r.finding(suites.Passed(r.id, "%s", r.lastPass)))
	case r.passed > 1:
		out = append(out, r.finding(suites.Passed(r.id, "%s; and %d more", r.lastPass, r.passed-1)))
	}
	return out
}

// Names of objects as findings give them.

func podName(p *history.Pod) string { return "pod " + p.Namespace + "/" + p.Name }

func gangName(g *history.Gang) string { return "podgroup " + g.Namespace + "/" + g.Name }

func names(pods []*history.Pod) []string {
	out := make([]string, len(pods))
	for i, p := range pods {
		out[i] = podName(p)
	}
	return out
}

// reached reports whether an instant lies at s or before.
func reached(instant, s history.Stamp) bool { return !instant.IsZero() && !instant.After(s) }

// earliest is the first of the stamps; zero where all are zero.
func earliest(stamps ...history.Stamp) (first history.Stamp) {
	for _, s := range stamps {
		if s.Before(first) {
			first = s
		}
	}
	return first
}

// latest is the last of the stamps that are not zero.
func latest(stamps ...history.Stamp) (last history.Stamp) {
	for _, s := range stamps {
		if !s.IsZero() && (last.IsZero() || s.After(last)) {
			last = s
		}
	}
	return last
}
