package judge

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// Check is an invariant that is judged in every scenario.
type Check struct {
	// Name, and the requirement it speaks about.
	Name, Requirement string
	Run               func(*history.View) []suites.Finding
}

// Judge is everything needed to judge a history.
type Judge struct {
	// Requirements of the whole catalogue, to know which of them the recorded control plane could not offer.
	Requirements []suites.Requirement
	// Scenario finds a scenario by the name that is recorded.
	Scenario func(name string) (suites.Scenario, bool)
	Checks   []Check
	// Reader of the dialect that the history's scheduler profile names.
	Reader func(dialect string) (history.Dialect, error)
}

// UnknownScenario says that a history contains a scenario this muster does not have: it can be replayed, not judged.
type UnknownScenario struct{ History, Scenario string }

// Error names both.
func (e *UnknownScenario) Error() string {
	return fmt.Sprintf("%s: scenario %s is not one of this muster's: it is left out", e.History, e.Scenario)
}

// History judges every scenario that the history contains, in the order in which they began. Scenarios that this
// muster does not know are left out and named in the second result. The error is that of a history that cannot be
// judged at all.
func (j *Judge) History(h *history.History) ([]fold.Scenario, []error, error) {
	reader, err := j.Reader(h.Header.Scheduler.Dialect)
	if err != nil {
		return nil, nil, fmt.Errorf("judging %s: %w", h.Name, err)
	}
	offer := plan.OfferOf(&h.Header)
	unsupported := offer.Unsupported(j.Requirements)
	ends := endings(h)
	var out []fold.Scenario
	var unknown []error
	if h.Header.MusterInfo[plan.InfoOrigin] == plan.InfoRecord {
		out = append(out, j.whole(h, reader, unsupported))
	}
	for _, scope := range lastOf(h.Scopes()) {
		sc, ok := j.Scenario(scope.Scenario)
		if !ok && h.Header.MusterInfo[plan.InfoShape] != "" {
			out = append(out, j.load(h, reader, unsupported, scope, ends[scope.Scenario]))
			continue
		}
		if !ok {
			unknown = append(unknown, &UnknownScenario{History: h.Name, Scenario: scope.Scenario})
			continue
		}
		r := fold.Scenario{
			Name: sc.Name, Profile: sc.Profile, Requirements: sc.Requirements, Shard: h.Name, Unsupported: unsupported,
		}
		end := ends[scope.Scenario]
		r.Status, r.Reason = end.status()
		if r.Status == fold.Unsupported || r.Status == fold.NotRun || r.Status == fold.Filtered {
			out = append(out, r)
			continue
		}
		v := history.NewView(h, reader, scope)
		r.Took = v.Now().Mono - v.Begin.Mono
		if r.Status == fold.Executed {
			r.Findings = own(sc, v)
		}
		for _, c := range j.Checks {
			r.Findings = append(r.Findings, c.run(v)...)
		}
		out = append(out, r)
	}
	return out, unknown, nil
}

// Whole is the name under which a history is judged that was recorded where muster did nothing.
const Whole = "the whole record"

// whole judges a record without scenarios: the invariants, over all there is in it.
func (j *Judge) whole(h *history.History, reader history.Dialect, unsupported map[string]string) fold.Scenario {
	v := history.NewView(h, reader, history.Scope{})
	r := fold.Scenario{
		Name: Whole, Profile: fold.Invariants, Requirements: []string{}, Shard: h.Name, Unsupported: unsupported,
		Status: fold.Executed, Took: v.Now().Mono,
	}
	for _, c := range j.Checks {
		r.Findings = append(r.Findings, c.run(v)...)
	}
	return r
}

// load judges a performance run, which has no judge of its own: the invariants, as when it was measured.
func (j *Judge) load(h *history.History, reader history.Dialect, unsupported map[string]string, scope history.Scope, end *ending) fold.Scenario {
	v := history.NewView(h, reader, scope)
	r := fold.Scenario{
		Name: scope.Scenario, Profile: fold.Invariants, Requirements: []string{}, Shard: h.Name, Unsupported: unsupported,
		Status: fold.Executed, Took: v.Now().Mono - v.Begin.Mono,
	}
	if end == nil {
		r.Status, r.Reason = end.status()
	}
	for _, c := range j.Checks {
		r.Findings = append(r.Findings, c.run(v)...)
	}
	return r
}

// ending is how the record says that a scenario ended; nil: it does not.
type ending struct {
	label, reason string
}

func (e *ending) status() (fold.Status, string) {
	if e == nil {
		return fold.Interrupted, "the record ends in the middle of the scenario"
	}
	if e.label == "" {
		return fold.Executed, "" // written by a driver that knows no other end
	}
	s := fold.Status(e.label)
	if s == fold.NotRun && e.reason == fold.NotAsked {
		s = fold.Filtered // as it was recorded before this status had a name
	}
	if !s.Known() {
		return fold.Broken, fmt.Sprintf("the record says that the scenario ended %q, which this muster does not know", e.label)
	}
	return s, e.reason
}

func endings(h *history.History) map[string]*ending {
	out := map[string]*ending{}
	for i := range h.Events {
		e := &h.Events[i]
		switch {
		case e.Origin != history.Driver || e.Action == nil:
		case e.Verb == history.VerbBegin && e.Action.Scope != nil:
			delete(out, e.Action.Scope.Scenario)
		case e.Verb == history.VerbEnd:
			out[e.Action.Scenario] = &ending{label: e.Action.Label, reason: e.Action.Response.Message}
		}
	}
	return out
}

// lastOf keeps the last scope of a scenario that ran more than once.
func lastOf(scopes []history.Scope) []history.Scope {
	var out []history.Scope
	for i, s := range scopes {
		again := slices.ContainsFunc(scopes[i+1:], func(o history.Scope) bool { return o.Scenario == s.Scenario })
		if !again {
			out = append(out, s)
		}
	}
	return out
}

// own asks the scenario's Judge.
func own(sc suites.Scenario, v *history.View) (out []suites.Finding) {
	defer func() {
		if p := recover(); p != nil {
			out = nil
			for _, id := range sc.Requirements {
				out = append(out, panicked(id, "", fmt.Sprintf("the judge of scenario %s", sc.Name), p))
			}
		}
	}()
	for _, f := range sc.Judge(v) {
		f.Check = ""
		out = append(out, f)
	}
	return out
}

func (c Check) run(v *history.View) (out []suites.Finding) {
	defer func() {
		if p := recover(); p != nil {
			out = []suites.Finding{panicked(c.Requirement, c.Name, "check "+c.Name, p)}
		}
	}()
	for _, f := range c.Run(v) {
		f.Check = c.Name
		if f.Requirement == "" {
			f.Requirement = c.Requirement
		}
		out = append(out, f)
	}
	return out
}

func panicked(id, check, who string, p any) suites.Finding {
	return suites.Finding{
		Requirement: id, Check: check, Verdict: suites.Error,
		Message: fmt.Sprintf("%s panicked, which is a mistake in muster: %v\n%s", who, p, strings.TrimSpace(string(debug.Stack()))),
	}
}
