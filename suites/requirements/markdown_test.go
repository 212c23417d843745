package requirements

import (
	"os"
	"strings"
	"testing"
)

// docs/requirements.md is generated; hack/verify-requirements compares it too.
func TestTheGeneratedPageIsCurrent(t *testing.T) {
	reqs, err := All()
	if err != nil {
		t.Fatal(err)
	}
	want := Markdown(reqs)
	got, err := os.ReadFile("../../docs/requirements.md")
	if err != nil {
		t.Fatalf("%v; run go run ./hack/requirements > docs/requirements.md", err)
	}
	if string(got) != want {
		t.Error("docs/requirements.md is out of date; run go run ./hack/requirements > docs/requirements.md")
	}
}

func TestThePageHoldsEverything(t *testing.T) {
	reqs, err := All()
	if err != nil {
		t.Fatal(err)
	}
	page := Markdown(reqs)
	for _, r := range reqs {
		row := ""
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "| "+r.ID+" ") {
				row = line
			}
		}
		if row == "" {
			t.Errorf("%s has no row", r.ID)
			continue
		}
		if !strings.Contains(row, string(r.Level)) || !strings.Contains(row, r.Text) {
			t.Errorf("the row of %s lacks its level or text: %s", r.ID, row)
		}
		if got := strings.Count(row, " |"); got != 5 {
			t.Errorf("the row of %s has %d cells, want 5", r.ID, got)
		}
		if links := strings.Count(row, "]["); links != len(r.Sources) {
			t.Errorf("the row of %s links %d sources, want %d", r.ID, links, len(r.Sources))
		}
		for _, s := range r.Sources {
			if !strings.Contains(page, "]: "+s.URL+"\n") || !strings.Contains(page, s.Quote) {
				t.Errorf("%s: the page lacks its source %s", r.ID, s.Ref)
			}
		}
	}
}
