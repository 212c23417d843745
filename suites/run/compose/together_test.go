package compose

import (
	"errors"
	"strings"
	"testing"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/run"
)

// shard is a history of its own cluster in a run, in which one scenario ran.
func shard(name, scenario string) *history.History {
	h := historytest.New(func(h *history.Header, s *history.Scope) {
		h.Cluster, h.Name, h.Seed = "uid-of-"+name, name, 7
		h.MusterInfo = map[string]string{"version": "v1", "revision": "abc"}
		s.Scenario = scenario
	}).Nodes(1).History()
	h.Name = name + ".jsonl"
	return h
}

// lent is a history of part of a cluster that others use.
func lent(name, scenario string) *history.History {
	h := shard(name, scenario)
	h.Header.Cluster, h.Header.MusterInfo[run.InfoShared] = "uid-of-all", "true"
	return h
}

// slice is what a failure folder would hold of it.
func slice(h *history.History) *history.History { return h.Slice(h.Scopes()[0]) }

func TestStoredTakesOneRun(t *testing.T) {
	main := shard("main", "a")
	main.Header.MusterInfo[run.InfoExpected] = "GANG-001"
	main.Header.MusterInfo[run.InfoProfiles] = "gang"
	main.Header.MusterInfo[run.InfoNarrowed] = "true"
	for name, hs := range map[string][]*history.History{
		"the shards of one run":         {main, shard("own", "b")},
		"the other way round":           {shard("own", "b"), main},
		"a history alone":               {main},
		"slices of one history":         {slice(shard("main", "a")), slice(shard("main", "b"))},
		"a slice and a history of both": {slice(shard("own", "b")), main},
		"two parts of a shared cluster": {lent("main", "a"), lent("faults", "b")},
	} {
		if _, _, err := Stored(judgeOf("a"), hs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStoredRefusesAMixture(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*history.History)
		want   string
	}{
		{"another scheduler", func(h *history.History) { h.Header.Scheduler.Name = "another" }, "scheduler is another, that of main.jsonl is test"},
		{"another version", func(h *history.History) { h.Header.Scheduler.Version = "v2" }, "version is v2, that of main.jsonl is not given"},
		{"another bound", func(h *history.History) { h.Header.Scheduler.SettleBase = 60 }, "scheduler profile"},
		{"another seed", func(h *history.History) { h.Header.Seed = 8 }, "seed is 8, that of main.jsonl is 7"},
		{"another muster", func(h *history.History) { h.Header.MusterInfo["revision"] = "def" }, "muster.revision is def"},
		{"a muster that does not say", func(h *history.History) { h.Header.MusterInfo = nil }, "muster.revision is not given"},
		{"the same cluster", func(h *history.History) { h.Header.Cluster = "uid-of-main" }, "cluster uid-of-main, as is main.jsonl"},
		{"the same shard", func(h *history.History) { h.Header.Name = "main" }, `shard "main"`},
		{"the same scenario", func(h *history.History) { *h = *shard("own", "a") }, "scenario a, as does main.jsonl"},
		{"the same file", func(h *history.History) { *h = *shard("main", "a") }, "judge one of them"},
		{"its own slice", func(h *history.History) { *h = *slice(shard("main", "a")) }, "judge one of them"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := shard("own", "b")
			tt.change(other)
			refused(t, []*history.History{shard("main", "a"), other}, tt.want)
		})
	}
}

// Parts of a cluster are told apart by their names and by their scenarios; both have to say that they are parts.
func TestStoredRefusesPartsOfAClusterThatAreTheSame(t *testing.T) {
	whole := shard("faults", "b")
	whole.Header.Cluster = "uid-of-all"
	refused(t, []*history.History{lent("main", "a"), lent("main", "b")}, "cluster uid-of-all")
	refused(t, []*history.History{lent("main", "a"), lent("faults", "a")}, "scenario a")
	refused(t, []*history.History{lent("main", "a"), whole}, "muster.shared is not given")
}

func TestStoredRefusesHeaders(t *testing.T) {
	good := func() map[string]string {
		return map[string]string{run.InfoExpected: "GANG-001,INV-001", run.InfoProfiles: "gang", run.InfoNarrowed: "false"}
	}
	for _, tt := range []struct {
		name   string
		change func(*history.Header)
		want   string
	}{
		{"unknown requirement", func(h *history.Header) { h.MusterInfo[run.InfoExpected] = "GANG-001,GANG-0002" }, `muster.expected: unknown requirement "GANG-0002"`},
		{"empty requirement", func(h *history.Header) { h.MusterInfo[run.InfoExpected] = "GANG-001,," }, `unknown requirement ""`},
		{"nothing expected", func(h *history.Header) { h.MusterInfo[run.InfoExpected] = "" }, "muster.expected is empty"},
		{"unknown profile", func(h *history.Header) { h.MusterInfo[run.InfoProfiles] = "gnag" }, `muster.profiles: unknown profile "gnag"`},
		{"narrowed", func(h *history.Header) { h.MusterInfo[run.InfoNarrowed] = "banana" }, `muster.narrowed is "banana"`},
		{"narrowed is missing", func(h *history.Header) { delete(h.MusterInfo, run.InfoNarrowed) }, `muster.narrowed is ""`},
		{"named", func(h *history.Header) { h.MusterInfo[run.InfoNamed] = "banana" }, `muster.named is "banana"`},
		{"unsupported", func(h *history.Header) { h.Scheduler.Unsupported = []string{"gang", "GANG-9"} }, `scheduler.unsupported: unknown requirement or profile "GANG-9"`},
		{"dialect", func(h *history.Header) { h.Scheduler.Dialect = "esperanto" }, "scheduler.dialect"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := shard("main", "a")
			h.Header.MusterInfo = good()
			tt.change(&h.Header)
			refused(t, []*history.History{h}, tt.want)
		})
	}
}

func refused(t *testing.T, hs []*history.History, want string) {
	t.Helper()
	_, _, err := Stored(judgeOf("a"), hs)
	var p *history.Problem
	if !errors.As(err, &p) || p.Line != 1 || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want a problem of line 1 with %q", err, want)
	}
}
