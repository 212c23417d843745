package door

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/requirements"
)

// report is what the binary said; every spec reads its verdict from it.
var report *v1alpha1.ConformanceReport

func TestConformance(t *testing.T) {
	if why := Closed(os.Getenv); why != "" {
		t.Skip(why)
	}
	all, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	config, reporting := ginkgo.GinkgoConfiguration()
	selected, err := chosen(all, config.LabelFilter)
	if err != nil {
		t.Fatal(err)
	}
	ginkgo.BeforeSuite(func(ctx ginkgo.SpecContext) {
		if len(selected) == 0 {
			ginkgo.Skip("the label filter leaves no requirement")
		}
		out := filepath.Join(t.TempDir(), "out")
		report, err = Execute(ctx, os.Getenv("MUSTER_BIN"), Args(selected, out, os.Getenv("MUSTER_ARGS")))
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
	})
	ginkgo.Describe("conformance", func() {
		for _, r := range all {
			ginkgo.It(r.ID+" "+r.Title, ginkgo.Label(Labels(r)...), func() {
				switch o, text := OutcomeOf(report, r.ID); o {
				case Fails:
					ginkgo.Fail(text)
				case Skips:
					ginkgo.Skip(text)
				case Remarks:
					ginkgo.AddReportEntry("remark", text)
				}
			})
		}
	})
	ginkgo.RunSpecs(t, "muster", config, reporting)
}

// chosen are the IDs that a label filter leaves.
func chosen(all []suites.Requirement, filter string) ([]string, error) {
	matches, err := types.ParseLabelFilter(filter)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range all {
		if matches(Labels(r)) {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
