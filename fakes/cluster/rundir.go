package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	runDirPrefix = "muster-run-"
	lockName     = "lock"
)

// newRunDir makes the run directory, which only its owner may enter. Unless it is to be kept it holds a lock file,
// locked as long as this process lives: a directory whose lock is free was left behind by a run that was killed, and
// the next run clears it away.
func newRunDir(o Options) (dir string, lock *os.File, err error) {
	sweep(o.Parent)
	dir, err = os.MkdirTemp(o.Parent, runDirPrefix)
	if err != nil {
		return "", nil, fmt.Errorf("making the run directory: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, fmt.Errorf("making the run directory: %w", err)
	}
	for _, sub := range []string{"pki", "logs"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return dir, nil, fmt.Errorf("making the run directory: %w", err)
		}
	}
	if o.Keep {
		return dir, nil, nil
	}
	// Locked under another name first: a file called lock is never seen unlocked while its run lives.
	path := filepath.Join(dir, lockName)
	lock, err = os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return dir, lock, fmt.Errorf("locking the run directory: %w", err)
	}
	return dir, lock, nil
}

// CheckParent finds out, before anything is started, whether run directories can be made in a folder (empty:
// os.TempDir()).
func CheckParent(parent string) error {
	if parent == "" {
		parent = os.TempDir()
	}
	dir, err := os.MkdirTemp(parent, "muster-probe-")
	if err == nil {
		err = os.Remove(dir)
	}
	if err != nil {
		return fmt.Errorf("making a folder for the control plane: %w (TMPDIR says where; it has to be there and writable)", err)
	}
	return nil
}

// sweep removes run directories of this user whose run is dead. What cannot be removed is left alone: it is not what
// the caller came for.
func sweep(parent string) {
	dirs, err := filepath.Glob(filepath.Join(parent, runDirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_WRONLY|syscall.O_NOFOLLOW, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}

// IsRunDir reports whether a path looks like a run directory: something to check before removing one whose name was
// read from a file.
func IsRunDir(path string) bool {
	return filepath.IsAbs(path) && strings.HasPrefix(filepath.Base(path), runDirPrefix)
}
