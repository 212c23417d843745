package undertest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/fakes/cluster/process"
)

// stateOf is the letter the kernel has for a process: T is halted.
func stateOf(t *testing.T, pid int) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	return rest[:1]
}

// A process with a handicap is halted and woken, again and again, and ends when it is asked to.
func TestHandicapHaltsAndWakes(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "busy")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nwhile :; do :; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := process.Start(process.Spec{Name: "busy", Binary: program, Role: "none", Dir: dir, LogFile: filepath.Join(dir, "log")})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	ended := make(chan struct{})
	go func() {
		handicap(p, 0.5)
		close(ended)
	}()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for halts, halted := 0, false; halts < 3; {
		select {
		case <-look.C:
		case <-p.Done():
			t.Fatal("it ended: ", p.Ended())
		}
		now := stateOf(t, p.PID()) == "T"
		if now && !halted {
			halts++
		}
		halted = now
	}
	p.Stop(context.Background(), time.Minute)
	<-ended
	if how := p.Ended(); !strings.Contains(how, "terminated") {
		t.Errorf("it did not end when it was asked to: %s", how)
	}
}
