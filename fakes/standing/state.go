package standing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Phase of a standing cluster.
type Phase string

const (
	// Starting: its supervisor is bringing it up.
	Starting Phase = "starting"
	// Ready to use.
	Ready Phase = "ready"
	// Failed: a component has died and the rest was stopped. Problem says which.
	Failed Phase = "failed"
	// Dead: its supervisor was killed, and everything with it. Only files are left.
	Dead Phase = "dead"
)

// Record is what is known about a standing cluster.
type Record struct {
	Name  string `json:"name"`
	Phase Phase  `json:"phase"`
	// Problem says what is wrong, for people.
	Problem string `json:"problem,omitempty"`
	// PID of the supervisor and its start time (process.StartTime), which together name it for ever.
	PID     int       `json:"pid"`
	Started uint64    `json:"started"`
	Since   time.Time `json:"since"`
	// ReadyAfter is how long the start took, in seconds.
	ReadyAfter float64 `json:"readyAfter,omitempty"`
	// VisibleAfter is how long it took, from the same beginning, until every node and device could be listed, in seconds.
	VisibleAfter float64 `json:"visibleAfter,omitempty"`
	// ReadyRSS is the memory of all processes when the cluster was ready, in bytes, counted as in Status.RSS.
	ReadyRSS   int64  `json:"readyRSS,omitempty"`
	Kubeconfig string `json:"kubeconfig,omitempty"`
	Server     string `json:"server,omitempty"`
	// RunDir is the cluster's run directory.
	RunDir string `json:"runDir,omitempty"`
	// Processes of the cluster and the scheduler by name.
	Processes map[string]int `json:"processes,omitempty"`
	Nodes     int            `json:"nodes"`
	// Devices of the nodes, for claims.
	Devices   int    `json:"devices,omitempty"`
	Scheduler string `json:"scheduler,omitempty"`
	// Notes say which gates went off with one they depend on.
	Notes []string `json:"notes,omitempty"`
	Keep  bool     `json:"keep,omitempty"`
}

const (
	recordFile = "record.json"
	lockFile   = "lock"
	logFile    = "supervisor.log"
)

// Root is the state folder of this user: $XDG_RUNTIME_DIR/muster, or muster-<uid> in the folder for temporary files.
func Root() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return filepath.Join(dir, "muster")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("muster-%d", os.Getuid()))
}

// secureRoot makes the state folder, or makes sure that the one there is belongs to this user and nobody else can
// enter it: its name can be guessed, and so could have been taken by somebody else.
func secureRoot(root string) error {
	if err := os.Mkdir(root, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the state folder: %w", err)
	}
	info, err := os.Lstat(root)
	if err != nil {
		return fmt.Errorf("looking at the state folder: %w", err)
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	switch {
	case !info.IsDir():
		return fmt.Errorf("the state folder %s is not a folder; remove it, or set XDG_RUNTIME_DIR", root)
	case int(owner) != os.Getuid():
		return fmt.Errorf("the state folder %s belongs to user %d, not to you; set XDG_RUNTIME_DIR to a folder of your own",
			root, owner)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("the state folder %s has mode %#o, others can enter it; chmod 700 it", root, info.Mode().Perm())
	}
	return nil
}

// lock is a hold on a cluster's folder.
type lock struct{ *os.File }

// errHeld says that somebody else holds the lock: the cluster's supervisor lives.
var errHeld = errors.New("held")

// takeLock locks the folder, making it where it is not there. block waits until it is free.
//
// A folder can be removed by whoever held it between our opening and our locking of the file; then what we have locked
// is a file nobody will find again, and we begin anew.
func takeLock(dir string, create, block bool) (lock, error) {
	for {
		if create {
			if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return lock{}, err
			}
		}
		f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
		if errors.Is(err, fs.ErrNotExist) && create {
			continue // removed between the two
		}
		if err != nil {
			return lock{}, err
		}
		how := syscall.LOCK_EX
		if !block {
			how |= syscall.LOCK_NB
		}
		if err := flock(f, how); err != nil {
			_ = f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return lock{}, errHeld
			}
			return lock{}, err
		}
		mine, err := f.Stat()
		there, thereErr := os.Stat(filepath.Join(dir, lockFile))
		if err == nil && thereErr == nil && os.SameFile(mine, there) {
			return lock{f}, nil
		}
		_ = f.Close()
		if !create && errors.Is(thereErr, fs.ErrNotExist) {
			return lock{}, thereErr
		}
	}
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func readRecord(dir string) (Record, error) {
	var r Record
	data, err := os.ReadFile(filepath.Join(dir, recordFile))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("reading %s: %w", filepath.Join(dir, recordFile), err)
	}
	return r, nil
}

// writeRecord replaces the record in one step: a reader sees the old one or the new one.
func writeRecord(dir string, r Record) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the record: %w", err)
	}
	path := filepath.Join(dir, recordFile)
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return nil
}
