package process

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	// The name holds spaces and parentheses; fields 4, 5, 14–17, 22 and 24 are what is read.
	line := "77 (a) b (c)) S 5 77 77 0 -1 4194560 100 0 0 0 150 50 7 3 20 0 9 0 123456 1000000 10 18446744073709551615 1 1"
	s, err := parseStat(line)
	if err != nil {
		t.Fatal(err)
	}
	want := stat{state: "S", parent: 5, group: 77, started: 123456, own: 2 * time.Second, reaped: 100 * time.Millisecond,
		rss: 10 * int64(os.Getpagesize())}
	if s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	for _, bad := range []string{"", "77 no parenthesis", "77 (x) S 1 2"} {
		if _, err := parseStat(bad); err == nil {
			t.Errorf("parseStat(%q): no error", bad)
		}
	}
}

func TestDescendants(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skipf("no sleep to start: %v", err)
	}
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	if got := LiveDescendants(os.Getpid()); !slices.Contains(got, cmd.Process.Pid) {
		t.Errorf("descendants %v do not hold the child %d", got, cmd.Process.Pid)
	}
	u, err := Of(os.Getpid())
	if err != nil || u.RSS <= 0 {
		t.Errorf("usage of this process: %+v, %v", u, err)
	}
	if at, err := StartTime(cmd.Process.Pid); err != nil || at == 0 {
		t.Errorf("start time %d, %v", at, err)
	}
}
