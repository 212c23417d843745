package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Two invocations of one second, or with one --out, do not write over each other.
func TestAnOutputDirectoryIsForOne(t *testing.T) {
	t.Chdir(t.TempDir())
	seen := map[string]bool{}
	for range 5 {
		dir, err := perfOutput("")
		if err != nil || seen[dir] {
			t.Errorf("%q, %v: somebody has it", dir, err)
		}
		seen[dir] = true
	}
	if err := os.MkdirAll("there", 0o755); err != nil {
		t.Fatal(err)
	}
	var got, refused atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := perfOutput("there"); err == nil {
				got.Add(1)
			} else if errors.Is(err, errTaken) {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 || refused.Load() != 19 {
		t.Errorf("%d have the directory, %d were refused", got.Load(), refused.Load())
	}
}

// What could not be stored in the end is refused in the beginning, and looking leaves nothing behind.
func TestWhereABaselineCanBeStored(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.yaml")
	if err := os.WriteFile(there, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"": "", filepath.Join(dir, "new.yaml"): "", there: "",
		dir: "no file", filepath.Join(dir, "none", "x"): "no directory", filepath.Join(there, "x"): "no directory", "/dev/full": "no file",
		filepath.Join("/proc", "x.yaml"): "nothing can be written",
	} {
		err := checkStore(file)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", file, err, want)
		}
	}
	left, err := os.ReadDir(dir)
	if raw, _ := os.ReadFile(there); err != nil || len(left) != 1 || string(raw) != "old" {
		t.Errorf("%v, %q, %v", left, raw, err)
	}
}
