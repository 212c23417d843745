package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"muster/fakes/cluster/process"
)

// Run runs a command that knows nothing of leashes and ends it, with everything it has started, when the parent
// ends. It makes itself the reaper of orphans below it, so that a command which daemonises, or starts sessions of its
// own, is still found. Its exit code is the command's, or 128 and the signal's number.
func Run(l Leash, args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "guard: no command to run")
		return 2
	}
	if err := process.BecomeSubreaper(); err != nil {
		fmt.Fprintf(os.Stderr, "guard: becoming the reaper of orphans: %v\n", err)
		return 1
	}
	// A parent-death signal belongs to the thread that forks: keep this one, so that kill -9 of the guard itself
	// takes the command along. What the command has started goes to the guard's parent then, which ends it (see
	// fakes/cluster/process).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	cmd := exec.Command(args[0], args[1:]...)
	said, says, err := os.Pipe()
	if err != nil {
		fmt.Fprintf(os.Stderr, "guard: making a pipe for the command's output: %v\n", err)
		return 1
	}
	cmd.Stdout, cmd.Stderr = says, says
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(os.Stderr, "guard: starting the command: %v\n", err)
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			return 127 // what a shell says
		}
		return 126
	}
	_ = says.Close()
	written := make(chan struct{})
	go func() {
		copyCapped(os.Stdout, said, logCap)
		close(written)
	}()
	group := cmd.Process.Pid
	go func() {
		l.wait()
		endDescendants()
		<-written // nobody is left to say anything more
		os.Exit(1)
	}()
	go func() {
		for s := range signals {
			_ = syscall.Kill(-group, s.(syscall.Signal))
		}
	}()
	_ = cmd.Wait()
	endDescendants()
	<-written
	if cmd.ProcessState == nil { // reaped on the way out, with the parent gone
		return 1
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		fmt.Fprintf(os.Stderr, "guard: the command ended by signal %d (%s)\n", status.Signal(), status.Signal())
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// endDescendants kills everything below this process until nothing alive is left. Killing a parent makes its
// children ours, so the second look finds those that a fork hid from the first.
func endDescendants() {
	for {
		alive := process.LiveDescendants(os.Getpid())
		if len(alive) == 0 {
			return
		}
		for _, pid := range alive {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		// Reap what has ended; the command itself belongs to exec.Cmd, which tolerates being beaten to it.
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
				break
			}
		}
		runtime.Gosched()
	}
}
