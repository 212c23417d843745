package conduct

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestRefusedOutputLeavesNothingBehind(t *testing.T) {
	statfs = func(string, *syscall.Statfs_t) error { return nil } // no room at all
	defer func() { statfs = syscall.Statfs }()
	root := t.TempDir()
	dir := filepath.Join(root, "a", "out")
	for range 2 { // the second time says the same, not that it is not empty
		if _, err := prepareOutput(dir); err == nil || !strings.Contains(err.Error(), "0 MiB free") {
			t.Fatalf("got %v, want a word about the room", err)
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
			t.Fatalf("left behind: %v, %v", entries, err)
		}
	}
	own := filepath.Join(root, "own")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := prepareOutput(own); err == nil {
		t.Fatal("accepted without room")
	}
	if entries, err := os.ReadDir(own); err != nil || len(entries) > 0 {
		t.Errorf("the user's own directory: %v, %v; want it there and empty", entries, err)
	}
}

func TestEmptyHistoryIsNoResult(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, historyDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := prepareOutput(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, historyDir, "main.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := prepareOutput(dir); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a history is there: %v", err)
	}
}
