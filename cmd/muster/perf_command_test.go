package main

import "testing"

// A report can be had again only with all that was said, and by what a shell takes for the same words.
func TestTheCommandIsWhole(t *testing.T) {
	cmd := newPerfRunCommand()
	err := cmd.ParseFlags([]string{"--scenario", "singles,gangs-of-8", "--scheduler-exec", "it's {{.Kubeconfig}}", "--out", "x", "-o", "yaml", "-v"})
	if err != nil {
		t.Fatal(err)
	}
	want := `run --out=x --output=yaml --scenario=singles,gangs-of-8 --scheduler-exec='it'\''s {{.Kubeconfig}}' --verbose=true`
	if got := commandLine(cmd); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}
