package conduct

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden verdicts anew")

// Histories that were recorded once give the verdicts they gave then. A verdict that changes is a judge that was made
// better, which is to be seen in a review (go test ./suites/run/conduct -run Golden -update), or one that broke.
//
// A new format of the history adds a file here and changes none.
func TestGoldenVerdicts(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden histories: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			report, warnings, err := Stored([]string{file}, nil)
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			var lines []string
			for _, r := range report.Requirements {
				lines = append(lines, fmt.Sprintf("%s %s\n", r.ID, r.Verdict))
			}
			slices.Sort(lines)
			got := strings.Join(lines, "")
			golden := strings.TrimSuffix(file, ".jsonl") + ".verdicts"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("verdicts have changed:\n%swere:\n%s", got, want)
			}
		})
	}
}
