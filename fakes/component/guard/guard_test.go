package guard

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/fakes/cluster/process"
)

// The test binary plays muster: called as "component ROLE …" it is that role.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != process.Verb {
		os.Exit(m.Run())
	}
	if os.Args[2] == "parent" { // starts a role and a guarded command, says their ids, and waits to be killed
		parent(os.Args[3])
	}
	leash, err := PickUp()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	switch os.Args[2] {
	case process.Guard:
		os.Exit(Run(leash, os.Args[3:]))
	case "idle":
		leash.EndGroup()
	}
}

func parent(dir string) {
	log := filepath.Join(dir, "log")
	role, err := process.Start(process.Spec{Name: "idle", Role: "idle", LogFile: log})
	if err != nil {
		panic(err)
	}
	// The command leaves one child in its own group and one in a session of its own, whose parent ends at once.
	script := "sleep 300 & (setsid sleep 300 &) ; echo guarded; wait"
	guarded, err := process.Start(process.Spec{Name: "guarded", Role: process.Guard, Args: []string{"sh", "-c", script}, LogFile: log})
	if err != nil {
		panic(err)
	}
	for { // until the command has started what it starts
		if below := process.LiveDescendants(guarded.PID()); len(below) >= 3 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(role.PID(), guarded.PID(), strings.Trim(fmt.Sprint(process.LiveDescendants(guarded.PID())), "[]"))
	select {}
}

func needs(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("no %s on this machine", c)
		}
	}
}

func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

// gone waits until a process is gone. Nothing else bounds it than go test's own timeout.
func gone(pid int) {
	for alive(pid) {
		time.Sleep(time.Millisecond)
	}
}

func TestKilledParentLeavesNobody(t *testing.T) {
	needs(t, "sh", "sleep", "setsid")
	cmd := exec.Command(os.Args[0], process.Verb, "parent", t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the parent said nothing: %v", err)
	}
	var pids []int
	for _, f := range strings.Fields(line) {
		pid, err := strconv.Atoi(f)
		if err != nil || !alive(pid) {
			t.Fatalf("%q of %q is no living process", f, line)
		}
		pids = append(pids, pid)
	}
	if len(pids) < 5 {
		t.Fatalf("the parent started %d processes, want a role, a guard and at least three below it: %s", len(pids), line)
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, pid := range pids {
		gone(pid)
	}
}

func guardOf(t *testing.T, command ...string) *process.Process {
	t.Helper()
	p, err := process.Start(process.Spec{
		Name: "guarded", Role: process.Guard, Args: command, LogFile: filepath.Join(t.TempDir(), "log"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func TestGuardPassesOnHowItEnded(t *testing.T) {
	needs(t, "sh")
	for name, c := range map[string]struct {
		command []string
		code    int
		log     string
	}{
		"success":   {[]string{"sh", "-c", "echo fine"}, 0, "fine"},
		"failure":   {[]string{"sh", "-c", "echo no >&2; exit 7"}, 7, "no"},
		"signal":    {[]string{"sh", "-c", "kill -9 $$"}, 137, "signal 9"},
		"not there": {[]string{"/nowhere/to/be/found"}, 127, "starting the command"},
		"nothing":   {nil, 2, "no command"},
	} {
		t.Run(name, func(t *testing.T) {
			p := guardOf(t, c.command...)
			<-p.Done()
			if p.ExitCode() != c.code {
				t.Errorf("exit code %d (%s), want %d", p.ExitCode(), p.Ended(), c.code)
			}
			if log := strings.Join(p.LogTail(10), "\n"); !strings.Contains(log, c.log) {
				t.Errorf("the log %q does not hold %q", log, c.log)
			}
			if p.Stopped() {
				t.Error("it ended by itself, and says that it was stopped")
			}
		})
	}
}

func TestGuardForwardsTerm(t *testing.T) {
	needs(t, "sh", "sleep")
	p := guardOf(t, "sh", "-c", `trap 'echo asked; exit 0' TERM; echo waiting; while :; do sleep 0.05; done`)
	for len(p.LogTail(1)) == 0 {
		time.Sleep(time.Millisecond)
	}
	p.Stop(t.Context(), time.Minute)
	if tail := strings.Join(p.LogTail(1), ""); tail != "asked" || p.ExitCode() != 0 {
		t.Errorf("log %q, exit code %d; want the command to have been asked and to have ended well", tail, p.ExitCode())
	}
}

func TestKillReachesWhatIgnoresTerm(t *testing.T) {
	needs(t, "sh", "sleep")
	p := guardOf(t, "sh", "-c", `trap '' TERM; echo deaf; (setsid sleep 300 &) ; sleep 300`)
	for len(process.LiveDescendants(p.PID())) < 3 {
		time.Sleep(time.Millisecond)
	}
	below := process.LiveDescendants(p.PID())
	p.Stop(t.Context(), time.Millisecond)
	for _, pid := range below {
		gone(pid)
	}
	if !p.Stopped() || p.Ended() == "" {
		t.Errorf("stopped %t, ended %q", p.Stopped(), p.Ended())
	}
}

func TestKilledGuardLeavesNobody(t *testing.T) {
	needs(t, "sh", "sleep", "setsid")
	p := guardOf(t, "sh", "-c", `sleep 300 & (setsid sh -c 'sleep 300; true' &) ; env -i setsid sleep 300`)
	other := guardOf(t, "sleep", "300") // another one's command is none of it
	for len(process.LiveDescendants(p.PID())) < 5 || len(process.LiveDescendants(other.PID())) < 1 {
		time.Sleep(time.Millisecond)
	}
	bystander := exec.Command("sleep", "300") // nor is a child started in another way
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bystander.Process.Kill(); _ = bystander.Wait() }()
	below := process.LiveDescendants(p.PID())
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	for _, pid := range below { // at once: Done tells that everything is gone
		if alive(pid) {
			t.Errorf("process %d of %v outlives its guard", pid, below)
		}
	}
	if p.Stopped() || !strings.Contains(p.Ended(), "killed") {
		t.Errorf("stopped %t, ended %q", p.Stopped(), p.Ended())
	}
	for _, pid := range append(process.LiveDescendants(other.PID()), other.PID(), bystander.Process.Pid) {
		if !alive(pid) {
			t.Errorf("process %d, which is not the guard's, was ended too", pid)
		}
	}
}

func TestRolesRefuseToRunByHand(t *testing.T) {
	out, err := exec.Command(os.Args[0], process.Verb, "idle").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "muster up") {
		t.Errorf("a role without a leash ran: %v, %q", err, out)
	}
}
