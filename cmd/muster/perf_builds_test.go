package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/fakes/undertest"
	"muster/perf/results"
	"muster/perf/runner"
)

// The report says of every executable that was named which revision it says it is; what cannot say it is refused, and before
// anything is started.
func TestBuildsSayWhatTheyAre(t *testing.T) {
	written := func(text string) string {
		path := filepath.Join(t.TempDir(), "muster")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	side := func(path string) runner.Side {
		return runner.Side{Name: baseSide, Scheduling: undertest.Options{Binary: path}, Build: runner.Build{Path: "./old"}}
	}
	good := written(`[ "$*" = "version -o json" ] && echo '{"revision": "0123456789ab", "kubernetes": "v1.36.0", "more": 1}'`)
	sides := []runner.Side{side(good), {Name: results.Ceiling}}
	if err := builds(t.Context(), sides); err != nil {
		t.Fatal(err)
	}
	if want := (runner.Build{Path: "./old", Revision: "0123456789ab", Kubernetes: "v1.36.0"}); sides[0].Build != want || sides[1].Build != (runner.Build{}) {
		t.Errorf("%+v, %+v", sides[0].Build, sides[1].Build)
	}
	for _, text := range []string{"exit 0", "exit 1", "echo '{}'", "echo hello"} {
		err := builds(t.Context(), []runner.Side{side(written(text))})
		if err == nil || !strings.Contains(err.Error(), "--base ./old: it is no executable of muster (--base-exec is for other commands)") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheGatesLineNamesRevisions(t *testing.T) {
	r := &results.Record{Sides: []results.Side{{Name: baseSide, Revision: "0123"}, {Name: headSide, Revision: "4567"}, {Name: results.Ceiling, Revision: "4567"}}}
	if got := revisions(r); got != " base=0123 head=4567" {
		t.Errorf("%q", got)
	}
	if got := revisions(&results.Record{Sides: []results.Side{{Name: headSide}}}); got != "" {
		t.Errorf("%q", got)
	}
}
