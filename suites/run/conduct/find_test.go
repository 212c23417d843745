package conduct

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestHistories(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"history/main.jsonl", "history/own.jsonl", "failures/a/history.jsonl", "empty/x"} {
		path := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	main, own := filepath.Join(dir, "history/main.jsonl"), filepath.Join(dir, "history/own.jsonl")
	failure := filepath.Join(dir, "failures/a")
	for _, tt := range []struct{ args, want []string }{
		{[]string{dir}, []string{main, own}},
		{[]string{filepath.Join(dir, "history")}, []string{main, own}},
		{[]string{failure}, []string{filepath.Join(failure, "history.jsonl")}},
		{[]string{main}, []string{main}},
		{[]string{"absent.jsonl"}, []string{"absent.jsonl"}},
	} {
		if got, err := Histories(tt.args); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, %v", tt.args, got, err)
		}
	}
	if _, err := Histories([]string{filepath.Join(dir, "empty")}); err == nil {
		t.Error("a directory without histories was taken")
	}
}
