package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	// Verb is the hidden first argument that makes this binary a role; the second names the role.
	Verb = "component"
	// LeashFD is the descriptor under which a role finds its end of the leash.
	LeashFD = 3
	// Guard is the role that runs a command which is not ours, on a leash.
	Guard = "guard"
)

// self is this binary even when the file has been replaced or removed since it was started (a rebuild during a run):
// the kernel resolves the link to the running image.
const self = "/proc/self/exe"

// Spec says what to start.
type Spec struct {
	// Name for messages, and of the log file's owner: etcd, scheduler, ….
	Name string
	// Binary to execute; empty is this binary itself (tests name the built one).
	Binary string
	// Role and Args: the role the binary takes on and its arguments.
	Role string
	Args []string
	// Dir is the working directory.
	Dir string
	// LogFile takes standard output and error; it is appended to.
	LogFile string
	// Env is its whole environment; nil is the parent's.
	Env []string
}

// Process is a started role.
type Process struct {
	spec    Spec
	cmd     *exec.Cmd
	leash   *os.File
	done    chan struct{}
	stopped atomic.Bool
	usage   Usage // the last one seen, kept for after the end
	usageMu sync.Mutex
}

// Start starts it. The process lives until it ends, Stop or Kill is called, or this process ends in whatever way.
func Start(spec Spec) (*Process, error) {
	binary := spec.Binary
	if binary == "" {
		binary = self
	}
	log, err := os.OpenFile(spec.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", spec.Name, err)
	}
	defer func() { _ = log.Close() }()
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making the leash of %s: %w", spec.Name, err)
	}
	defer func() { _ = theirs.Close() }()

	cmd := exec.Command(binary)
	cmd.Args = append([]string{"muster", Verb, spec.Role}, spec.Args...)
	cmd.Dir = spec.Dir
	cmd.Env = spec.Env
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{theirs} // becomes LeashFD
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if spec.Role == Guard {
		if err := adoptOrphans(); err != nil {
			_ = ours.Close()
			return nil, fmt.Errorf("becoming the reaper of what %s may leave behind: %w", spec.Name, err)
		}
	}
	if err := started(func() (int, error) {
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		return cmd.Process.Pid, nil
	}); err != nil {
		_ = ours.Close()
		return nil, fmt.Errorf("starting %s (%s): %w", spec.Name, binary, err)
	}
	p := &Process{spec: spec, cmd: cmd, leash: ours, done: make(chan struct{})}
	go p.reap()
	return p, nil
}

// reap waits for the end. Whatever the leader leaves behind in its group goes with it: the group is signalled while
// the leader is still a zombie, when its id cannot belong to anybody else.
func (p *Process) reap() {
	awaitExit(p.PID())
	_ = syscall.Kill(-p.PID(), syscall.SIGKILL)
	if p.spec.Role == Guard {
		endOrphans()
	}
	_ = p.cmd.Wait() // how it ended is in ProcessState
	reaped(p.PID())
	_ = p.leash.Close()
	close(p.done)
}

// Name of the process.
func (p *Process) Name() string { return p.spec.Name }

// PID of the process, which is also the id of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when it has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stopped reports whether Stop or Kill was called: its end was asked for.
func (p *Process) Stopped() bool { return p.stopped.Load() }

// Ended says in words how it ended ("exit status 1", "signal: killed"); empty while it lives.
func (p *Process) Ended() string {
	select {
	case <-p.done:
		return p.cmd.ProcessState.String()
	default:
		return ""
	}
}

// ExitCode is its exit code, -1 while it lives or when a signal ended it.
func (p *Process) ExitCode() int {
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	default:
		return -1
	}
}

// Kill ends it at once and waits until it has ended. A process that has ended already is no error.
//
// The leash does the same a moment later for what the group's signal does not reach: the children of a guard.
func (p *Process) Kill() {
	p.stopped.Store(true)
	if p.spec.Role == Guard {
		_ = p.leash.Close()
		select {
		case <-p.done:
			return
		case <-time.After(guardGrace):
		}
	}
	p.signal(syscall.SIGKILL)
	<-p.done
}

// guardGrace is what a guard is given to end its own before it is ended itself.
const guardGrace = 5 * time.Second

// Stop asks it to end (SIGTERM), gives it the grace to do so, and kills it then, or when ctx is done.
func (p *Process) Stop(ctx context.Context, grace time.Duration) {
	p.stopped.Store(true)
	p.signal(syscall.SIGTERM)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.Kill()
	case <-ctx.Done():
		p.Kill()
	}
}

// awaitExit waits for a child's end without reaping it.
func awaitExit(pid int) {
	const idPID = 1       // P_PID
	var siginfo [128]byte // siginfo_t, not looked at
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, idPID, uintptr(pid), uintptr(unsafe.Pointer(&siginfo)),
			syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

func (p *Process) signal(s syscall.Signal) {
	select {
	case <-p.done: // its id may belong to somebody else by now
	default:
		if err := syscall.Kill(-p.cmd.Process.Pid, s); errors.Is(err, syscall.ESRCH) {
			_ = p.cmd.Process.Signal(s)
		}
	}
}

// LogTail is the end of its log, at most the given number of lines.
func (p *Process) LogTail(lines int) []string { return Tail(p.spec.LogFile, lines) }
