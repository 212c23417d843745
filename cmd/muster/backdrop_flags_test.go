package main

import (
	"strings"
	"testing"
)

func TestRefusedBackdrops(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	for line, want := range map[string]string{
		"conformance --backdrop-nodes=-1":                            "--backdrop-nodes -1",
		"conformance --backdrop-nodes=9999999":                       "want 0 to 200000",
		"conformance --backdrop-devices=h100":                        "--backdrop-nodes",
		"conformance --backdrop-nodes=5 --backdrop-devices=h1000":    "a100, gb200, h100, mi300x",
		"conformance --backdrop-nodes=5 --backdrop-devices=":         "--backdrop-devices is given without a value",
		"conformance --backdrop-nodes=many --backdrop-devices=gb200": "a whole number",
	} {
		err := execute(strings.Fields(line)...)
		if err == nil || codeOf(err) != exitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("muster %s: %v (exit code %d), want exit code 2 and a word about %q", line, err, codeOf(err), want)
		}
	}
}
