package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// A cluster that cannot be recorded leaves no file: an empty one says nothing, and would be in the way of the next try.
func TestNothingIsRecordedOfNothing(t *testing.T) {
	server := httptest.NewServer(nil)
	address := server.URL
	server.Close()
	config, out := filepath.Join(t.TempDir(), "kubeconfig"), filepath.Join(t.TempDir(), "record.jsonl")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"a","clusters":[{"name":"a","cluster":{"server":%q}}],`+
		`"contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],"users":[{"name":"a","user":{}}]}`, address)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := execute("record", "--kubeconfig", config, "--out", out); err == nil || codeOf(err) != exitInconclusive {
			t.Errorf("recording a cluster that is not there: %v (exit code %d), want exit code %d", err, codeOf(err), exitInconclusive)
		}
		if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file was left: %v", err)
		}
	}
}
