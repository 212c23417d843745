package standing

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"muster/fakes/cluster/process"
)

// Descriptors a supervisor inherits beside standard input (the Spec) and output (its log).
const (
	lockFD   = 3
	eventsFD = 4
)

// InUseError says that a cluster of this name is up.
type InUseError struct{ Name string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("a cluster named %s is up already: use another --name, or muster down --name %s", e.Name, e.Name)
}

// hold takes the folder of a new cluster. What a dead one has left in it is removed.
func hold(name string) (dir string, l lock, err error) {
	root := Root()
	if err := secureRoot(root); err != nil {
		return "", lock{}, err
	}
	dir = filepath.Join(root, name)
	l, err = takeLock(dir, true, false)
	if errors.Is(err, errHeld) {
		return "", lock{}, &InUseError{Name: name}
	}
	if err != nil {
		return "", lock{}, fmt.Errorf("taking the folder of the cluster %s: %w", name, err)
	}
	if old, err := readRecord(dir); err == nil {
		removeRemains(old)
		_ = os.Remove(filepath.Join(dir, recordFile))
		_ = os.Remove(filepath.Join(dir, logFile))
	}
	return dir, l, nil
}

// Run brings a cluster up and keeps it up in this very process until ctx is done. tell is told how it goes.
func Run(ctx context.Context, spec Spec, tell func(Event)) error {
	dir, l, err := hold(spec.Name)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close(); removeRootIfEmpty() }()
	s := &supervisor{spec: spec, dir: dir, tell: func(e Event) error { tell(e); return nil }}
	return s.run(ctx)
}

// Launch has a supervisor bring a cluster up, in a session of its own, and returns when it is ready. When ctx is done
// before, the supervisor is told to end, and Launch returns when it has. argv are the arguments that make this binary
// call Supervise.
func Launch(ctx context.Context, spec Spec, argv []string, progress func(string)) (Record, error) {
	dir, l, err := hold(spec.Name)
	if err != nil {
		return Record{}, err
	}
	defer func() { _ = l.Close() }()
	cmd, events, err := detach(dir, l, spec, argv)
	if err != nil {
		_ = os.RemoveAll(dir)
		return Record{}, fmt.Errorf("starting the supervisor of the cluster %s: %w", spec.Name, err)
	}
	defer func() { _ = events.Close() }()
	stopWatching := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	defer stopWatching()

	ready, err := follow(events, progress)
	if err == nil {
		return ready, cmd.Process.Release()
	}
	log := process.Tail(filepath.Join(dir, logFile), 20)
	_ = cmd.Wait()
	if r, err := readRecord(dir); err == nil { // it was killed, or broke, before it could clean up
		removeRemains(r)
	}
	_ = os.RemoveAll(dir)
	removeRootIfEmpty()
	if ctx.Err() != nil {
		return Record{}, fmt.Errorf("bringing up the cluster %s: %w", spec.Name, context.Cause(ctx))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && len(log) > 0 {
		err = fmt.Errorf("its supervisor ended without a word; the end of its log:\n\t%s", strings.Join(log, "\n\t"))
	}
	return Record{}, err
}

// detach starts the supervisor. It inherits the lock, so the folder stays locked from before it lives until its end.
func detach(dir string, l lock, spec Spec, argv []string) (*exec.Cmd, *os.File, error) {
	input, err := json.Marshal(spec)
	if err != nil {
		return nil, nil, err
	}
	log, err := os.OpenFile(filepath.Join(dir, logFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = log.Close() }()
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = theirs.Close() }()
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = append([]string{"muster"}, argv...)
	cmd.Stdin = strings.NewReader(string(input))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{l.File, theirs} // lockFD, eventsFD
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = ours.Close()
		return nil, nil, err
	}
	return cmd, ours, nil
}

// follow reads a supervisor's events until it is ready, or says why not, or is gone.
func follow(events io.Reader, progress func(string)) (Record, error) {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return Record{}, io.ErrUnexpectedEOF
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return Record{}, fmt.Errorf("reading what the supervisor says: %w", err)
		}
		switch {
		case e.Ready != nil:
			return *e.Ready, nil
		case e.Error != "":
			return Record{}, errors.New(e.Error)
		default:
			progress(e.Progress)
		}
	}
}

// Supervise is the other end of Launch.
func Supervise(ctx context.Context) error {
	for _, fd := range []int{lockFD, eventsFD} {
		var st syscall.Stat_t
		if err := syscall.Fstat(fd, &st); err != nil {
			return errors.New("this verb is the other half of muster up, which starts it; it is of no use by hand")
		}
		syscall.CloseOnExec(fd) // its children are not to keep the folder locked
	}
	var spec Spec
	if err := json.NewDecoder(os.Stdin).Decode(&spec); err != nil {
		return fmt.Errorf("reading what to bring up: %w", err)
	}
	l := lock{os.NewFile(lockFD, lockFile)}
	events := os.NewFile(eventsFD, "events")
	defer func() { _ = l.Close() }()
	encoder := json.NewEncoder(events)
	s := &supervisor{spec: spec, dir: filepath.Join(Root(), spec.Name), tell: func(e Event) error {
		err := encoder.Encode(e)
		if e.Ready != nil {
			_ = events.Close()
		}
		return err
	}}
	err := s.run(ctx)
	if err != nil && s.record.Phase != Ready && s.record.Phase != Failed {
		_ = encoder.Encode(Event{Error: err.Error()})
	}
	removeRootIfEmpty()
	return err
}
