package write

import (
	"bytes"
	"strings"
	"testing"

	"muster/reports/internal/sample"
)

// The log of a command is somebody else's: it moves no cursor, and no line of it is a line of the page.
func TestALogIsShownAndNotObeyed(t *testing.T) {
	log := "it ended:\n\x1b[31mpanic\x07\r\n# a heading\xff\tx\n"
	if got, want := Escaped(log, "  "), "it ended:\n  \\x1b[31mpanic\\a\n  # a heading\uFFFD\tx"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
	r := sample.Perf()
	for i := range r.Scenarios[0].Runs {
		if p := r.Scenarios[0].Runs[i].Problems; len(p) > 0 {
			p[0].Message = log
		}
	}
	var b bytes.Buffer
	if err := PerfMarkdown(&b, r); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); !strings.Contains(page, "it ended:\n\n      \\x1b[31mpanic\\a\n      # a heading") || strings.ContainsAny(page, "\x1b\x07\r") {
		t.Errorf("%s", page)
	}
}
