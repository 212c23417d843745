package compose

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"muster/suites/history"
	"muster/suites/run"
	"muster/suites/run/judge"
	"muster/suites/run/plan"
)

// told is what a header says about the run that it is of.
type told struct {
	expected, profiles []string
	named, narrowed    bool
}

// readInfo reads what the header of a history says about its run, and refuses what this muster cannot take at its
// word: an unknown name would silently make less expected than the run set out to show. ok is false for a header that
// says nothing of it. Errors are about the first line.
func readInfo(j *judge.Judge, h *history.History) (t told, ok bool, err error) {
	var errs []error
	var ids, profiles []string
	for _, r := range j.Requirements {
		ids = append(ids, r.ID)
		if !slices.Contains(profiles, r.Profile) {
			profiles = append(profiles, r.Profile)
		}
	}
	all := func(where, kind string, names, valid []string) {
		for _, n := range names {
			if err := plan.Check(kind, n, valid); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", where, err))
			}
		}
	}
	all("scheduler.unsupported", "requirement or profile", h.Header.Scheduler.Unsupported, append(slices.Clone(ids), profiles...))
	if _, err := j.Reader(h.Header.Scheduler.Dialect); err != nil {
		errs = append(errs, fmt.Errorf("scheduler.dialect: %w", err))
	}
	info := h.Header.MusterInfo
	expected, ok := info[run.InfoExpected]
	if ok {
		t.expected, t.profiles = split(expected), split(info[run.InfoProfiles])
		if len(t.expected) == 0 {
			errs = append(errs, fmt.Errorf("muster.%s is empty: a run expects something", run.InfoExpected))
		}
		all("muster."+run.InfoExpected, "requirement", t.expected, ids)
		all("muster."+run.InfoProfiles, "profile", t.profiles, profiles)
		if t.narrowed, err = strconv.ParseBool(info[run.InfoNarrowed]); err != nil {
			errs = append(errs, fmt.Errorf("muster.%s is %q, neither true nor false", run.InfoNarrowed, info[run.InfoNarrowed]))
		}
		t.named = true // as runs had it that did not say so
		if value, ok := info[run.InfoNamed]; ok {
			if t.named, err = strconv.ParseBool(value); err != nil {
				errs = append(errs, fmt.Errorf("muster.%s is %q, neither true nor false", run.InfoNamed, value))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return t, ok, &history.Problem{Name: h.Name, Line: 1, Err: fmt.Errorf("reading the header: %w", err)}
	}
	return t, ok, nil
}

// together refuses histories that are not of one run: their verdicts would be added up to a report about something
// that never ran. Several slices of one run are taken, of different scenarios; a history beside its own slice is not,
// since the scenario would count twice.
func together(histories []*history.History) error {
	seen := map[string]*history.History{}
	for i, h := range histories {
		if err := sameRun(histories[0], h); err != nil {
			return &history.Problem{Name: h.Name, Line: 1, Err: err}
		}
		for _, o := range histories[:i] {
			both := h.Header.Slice != "" && o.Header.Slice != ""
			switch {
			case both, h.Header.Name != o.Header.Name && shared(h) && shared(o): // of two parts of one cluster
			case h.Header.Cluster != "" && h.Header.Cluster == o.Header.Cluster:
				return &history.Problem{Name: h.Name, Line: 1, Err: fmt.Errorf("it is of cluster %s, as is %s: judge one of them", h.Header.Cluster, o.Name)}
			case h.Header.Name == o.Header.Name:
				return &history.Problem{Name: h.Name, Line: 1, Err: fmt.Errorf("it is the shard %q of its run, as is %s: judge one of them", h.Header.Name, o.Name)}
			}
		}
		for _, s := range h.Scopes() {
			if o := seen[s.Scenario]; o != nil && o != h {
				return &history.Problem{Name: h.Name, Line: 1, Err: fmt.Errorf("it holds scenario %s, as does %s: judge one of them", s.Scenario, o.Name)}
			}
			seen[s.Scenario] = h
		}
	}
	return nil
}

// shared reports whether a history is of part of a cluster.
func shared(h *history.History) bool { return h.Header.MusterInfo[run.InfoShared] == "true" }

// sameRun names what two histories of one run would have in common and these have not.
func sameRun(a, b *history.History) error {
	differ := func(what string, x, y any) error {
		return fmt.Errorf("its %s is %v, that of %s is %v: they are not of one run; judge them one at a time", what, y, a.Name, x)
	}
	x, y := a.Header, b.Header
	switch {
	case x.Scheduler.Name != y.Scheduler.Name:
		return differ("scheduler", x.Scheduler.Name, y.Scheduler.Name)
	case x.Scheduler.Version != y.Scheduler.Version:
		return differ("scheduler's version", orNone(x.Scheduler.Version), orNone(y.Scheduler.Version))
	case !reflect.DeepEqual(x.Scheduler, y.Scheduler):
		return differ("scheduler profile", x.Scheduler, y.Scheduler)
	case x.Seed != y.Seed:
		return differ("seed", x.Seed, y.Seed)
	}
	keys := map[string]bool{}
	for _, info := range []map[string]string{x.MusterInfo, y.MusterInfo} {
		for k := range info {
			keys[k] = true
		}
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		switch k {
		case run.InfoExpected, run.InfoProfiles, run.InfoNamed, run.InfoNarrowed:
			continue // of the run, and only in its main history
		}
		if x.MusterInfo[k] != y.MusterInfo[k] {
			return differ("muster."+k, orNone(x.MusterInfo[k]), orNone(y.MusterInfo[k]))
		}
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "not given"
	}
	return s
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
