package standing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/cluster/process"
)

// NotUpError says that there is no cluster of this name, and which there are.
type NotUpError struct {
	Name string
	Up   []string
}

func (e *NotUpError) Error() string {
	if len(e.Up) == 0 {
		return fmt.Sprintf("no cluster named %s is up, and no other is", e.Name)
	}
	return fmt.Sprintf("no cluster named %s is up; there is %s", e.Name,
		strings.Join(cluster.Nearest(e.Name, e.Up, 3), ", "))
}

// Names of the clusters there are, dead ones included, sorted.
func Names() ([]string, error) {
	entries, err := os.ReadDir(Root())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the state folder: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// endGrace is what a supervisor is given to take everything down.
const endGrace = 30 * time.Second

// Down ends a cluster and removes what is left of it. It returns when no process and no file of it is there.
func Down(ctx context.Context, name string) error {
	names, err := Names()
	if err != nil {
		return err
	}
	if !slices.Contains(names, name) {
		return &NotUpError{Name: name, Up: names}
	}
	if err := secureRoot(Root()); err != nil {
		return err
	}
	dir := filepath.Join(Root(), name)
	record, _ := readRecord(dir) // before the supervisor removes it
	l, err := takeLock(dir, false, false)
	if errors.Is(err, errHeld) {
		l, err = endSupervisor(ctx, dir)
	}
	if errors.Is(err, fs.ErrNotExist) { // the supervisor has cleaned up after itself
		removeRemains(record)
		removeRootIfEmpty()
		return nil
	}
	if err != nil {
		return fmt.Errorf("taking down the cluster %s: %w", name, err)
	}
	defer func() { _ = l.Close() }()
	if late, err := readRecord(dir); err == nil {
		record = late
	}
	removeRemains(record)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("removing the folder of the cluster %s: %w", name, err)
	}
	removeRootIfEmpty()
	return nil
}

// endSupervisor tells the supervisor to end and waits for its lock. One that does not end in time is killed; its
// children then end by their leashes.
func endSupervisor(ctx context.Context, dir string) (lock, error) {
	type result struct {
		lock lock
		err  error
	}
	free := make(chan result, 1)
	go func() {
		l, err := takeLock(dir, false, true)
		free <- result{l, err}
	}()
	grace := time.NewTimer(endGrace)
	defer grace.Stop()
	again := time.NewTicker(100 * time.Millisecond) // a supervisor just started has not written its record yet
	defer again.Stop()
	told := signalSupervisor(dir, syscall.SIGTERM)
	for {
		select {
		case r := <-free:
			return r.lock, r.err
		case <-again.C:
			if !told {
				told = signalSupervisor(dir, syscall.SIGTERM)
			}
		case <-grace.C:
			signalSupervisor(dir, syscall.SIGKILL)
		case <-ctx.Done():
			return lock{}, context.Cause(ctx)
		}
	}
}

// signalSupervisor reports whether the supervisor was there to be signalled. A process that has taken over its id is
// told by its start time and left alone.
func signalSupervisor(dir string, s syscall.Signal) bool {
	r, err := readRecord(dir)
	if err != nil {
		return false
	}
	if at, err := process.StartTime(r.PID); err != nil || at != r.Started {
		return false
	}
	return syscall.Kill(r.PID, s) == nil
}

// removeRemains removes the run directory of a dead cluster, unless it was to be kept.
func removeRemains(r Record) {
	if r.RunDir != "" && !r.Keep && cluster.IsRunDir(r.RunDir) {
		_ = os.RemoveAll(r.RunDir)
	}
}

// removeRootIfEmpty removes the state folder with the last cluster. Removing a folder that is not empty fails, which is
// what is wanted.
func removeRootIfEmpty() { _ = os.Remove(Root()) }
