package suites_test

import (
	"os"
	"strings"
	"testing"
)

// TestGuideShowsTheExample keeps docs/adding-a-scenario.md from drifting away from the code that compiles: every function
// it shows stands word for word in example_test.go.
func TestGuideShowsTheExample(t *testing.T) {
	guide, err := os.ReadFile("../docs/adding-a-scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, block := range strings.Split(string(guide), "```go\n")[1:] {
		code, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatal("the guide has a code block that does not end")
		}
		if !strings.HasPrefix(code, "func drive") && !strings.HasPrefix(code, "func judge") {
			continue
		}
		shown++
		if !strings.Contains(string(example), code) {
			t.Errorf("the guide shows code that example_test.go does not have:\n%s", code)
		}
	}
	if shown != 2 {
		t.Errorf("the guide shows %d of the example's functions, want Drive and Judge", shown)
	}
}
