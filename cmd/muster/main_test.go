package main

import (
	"os"
	"testing"
)

// TestMain lets the test binary stand for an executable of muster, which is asked for its version.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "version" {
		main()
	}
	os.Exit(m.Run())
}
