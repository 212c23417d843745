package write_test

import (
	"bytes"
	"strings"
	"testing"

	"muster/reports/internal/sample"
	"muster/reports/v1alpha1"
	"muster/reports/write"
)

func TestUnpassed(t *testing.T) {
	var b bytes.Buffer
	if err := write.Unpassed(&b, sample.Report(), "out/failures"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"not passed:\n",
		"  COND-001 Error in gang-one-short: the driver could not create pod b (out/failures/gang-one-short)\n",
		"  GANG-002 Fail (warning) in gang-one-short: took 40 s (",
		"  INV-001 Fail (known) in gang-one-short: 1 of 2 bound (",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	for _, not := range []string{"BASIC-001", "BASIC-004", "GANG-005", "GANG-019"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("%s is listed", not)
		}
	}
	b.Reset()
	r := sample.Report()
	r.Requirements = []v1alpha1.Requirement{r.Requirements[0], r.Requirements[8]}
	if err := write.Unpassed(&b, r, ""); err != nil || b.Len() > 0 {
		t.Errorf("all passed or known, and yet: %v %s", err, b.String())
	}
}

// A profile of which nothing was executed (there was no scheduler, or its gate is off) has no verdict.
func TestTableSaysWhoWasNotJudged(t *testing.T) {
	for _, tt := range []struct {
		profile v1alpha1.Profile
		want    string
	}{
		{v1alpha1.Profile{Name: "basic", Core: 3}, "profile basic: not judged (0 of 3 core requirements passed)"},
		{v1alpha1.Profile{Name: "basic", Core: 3, CoreExecuted: 3, CorePassed: 2}, "profile basic: not conformant (2 of 3"},
		{v1alpha1.Profile{Name: "basic", Core: 3, CoreExecuted: 3, CorePassed: 3, Conformant: true}, "profile basic: conformant (3 of 3"},
	} {
		var b bytes.Buffer
		r := &v1alpha1.ConformanceReport{Profiles: []v1alpha1.Profile{tt.profile}}
		if err := write.Table(&b, r, write.TableOptions{Width: 100}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), tt.want) {
			t.Errorf("lacks %q:\n%s", tt.want, b.String())
		}
	}
}
