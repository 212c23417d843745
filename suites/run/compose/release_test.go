package compose

import (
	"strings"
	"testing"

	"muster/suites"
)

func TestReportOfAnotherRelease(t *testing.T) {
	for version, want := range map[string]string{
		"v1.37.2": "", "": "", "v1.38.0": "the API server is v1.38.0: 2 requirements describe Kubernetes 1.37",
	} {
		in := input()
		in.Expected = []suites.Requirement{{ID: "A-001", Release: "1.37"}, {ID: "A-002", Release: "1.37"}, {ID: "A-003"}}
		in.Provenance.Versions = map[string]string{"kube-apiserver": version}
		var notes []string
		for _, c := range Report(in).Provenance.Components {
			notes = append(notes, c.Notes...)
		}
		if got := strings.Join(notes, " "); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}
