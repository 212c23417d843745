package standing

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"muster/fakes/cluster/process"
)

// Status is a record together with what its processes use now.
type Status struct {
	Record
	Usage []ProcessUsage `json:"usage,omitempty"`
	// RSS of all processes in bytes. The supervisor counts for itself alone here; pages that processes share (the
	// binary's) count for each.
	RSS int64 `json:"rss"`
}

// ProcessUsage is one process of a cluster.
type ProcessUsage struct {
	Name string        `json:"name"`
	PID  int           `json:"pid"`
	CPU  time.Duration `json:"cpu"`
	RSS  int64         `json:"rss"`
}

// List is the status of every cluster there is, sorted by name.
func List() ([]Status, error) {
	names, err := Names()
	if err != nil {
		return nil, err
	}
	var out []Status
	for _, name := range names {
		s, err := Look(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Look is the status of one cluster; fs.ErrNotExist where there is none.
func Look(name string) (Status, error) {
	dir := filepath.Join(Root(), name)
	alive, err := isAlive(dir)
	if err != nil {
		return Status{}, err
	}
	r, err := readRecord(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && alive: // its supervisor has only just been started
		return Status{Record: Record{Name: name, Phase: Starting}}, nil
	case errors.Is(err, fs.ErrNotExist): // killed before it could write anything
		return Status{Record: Record{Name: name, Phase: Dead}}, nil
	case err != nil:
		return Status{}, err
	}
	s := Status{Record: r}
	if !alive {
		s.Processes = nil
		if s.Phase != Failed {
			s.Phase = Dead
		}
		return s, nil
	}
	return r.status(), nil
}

// status is that of a cluster that is alive.
func (r Record) status() Status {
	s := Status{Record: r}
	s.measure("supervisor", r.PID, process.Alone) // everything else is below it
	for _, p := range slices.Sorted(maps.Keys(r.Processes)) {
		s.measure(p, r.Processes[p], process.Of)
	}
	return s
}

func (s *Status) measure(name string, pid int, of func(int) (process.Usage, error)) {
	u, err := of(pid)
	if err != nil {
		return // ended meanwhile
	}
	s.Usage = append(s.Usage, ProcessUsage{Name: name, PID: pid, CPU: u.CPU, RSS: u.RSS})
	s.RSS += u.RSS
}

// isAlive looks whether the supervisor holds its lock.
func isAlive(dir string) (bool, error) {
	l, err := takeLock(dir, false, false)
	if errors.Is(err, errHeld) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	_ = l.Close()
	return false, nil
}
