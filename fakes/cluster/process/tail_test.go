package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	long := strings.Repeat("x", 100) + "\n"
	for name, c := range map[string]struct {
		text  string
		lines int
		want  []string
	}{
		"empty":         {"", 5, nil},
		"only newlines": {"\n\n", 5, nil},
		"fewer":         {"a\nb\n", 5, []string{"a", "b"}},
		"more":          {"a\nb\nc", 2, []string{"b", "c"}},
		"none wanted":   {"a\n", 0, nil},
		"long":          {strings.Repeat(long, 2*tailBytes/len(long)) + "last\n", 1, []string{"last"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := Tail(path, c.lines); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(strings.Repeat(long, 2*tailBytes/len(long))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range Tail(path, 1<<20) {
		if len(line) != len(long)-1 {
			t.Fatalf("a line was cut: %q", line)
		}
	}
	if Tail(filepath.Join(t.TempDir(), "absent"), 3) != nil {
		t.Error("an absent file has a tail")
	}
}
