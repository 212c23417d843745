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
