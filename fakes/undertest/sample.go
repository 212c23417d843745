package undertest

import (
	"fmt"
	"time"

	"muster/fakes/cluster/process"
)

// Sample is what the scheduler has used.
type Sample struct {
	// PID of the process now; 0 when none runs.
	PID int
	// CPU is user and system time of all its processes since the first Start, restarts included.
	CPU time.Duration
	// RSS is the resident set in bytes of the process now, with everything it has started; 0 when none runs.
	RSS int64
}

// Sample looks now.
func (s *Scheduler) Sample() Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return Sample{CPU: s.spent.CPU}
	}
	u := s.process.Usage()
	out := Sample{CPU: s.spent.CPU + u.CPU}
	if s.process.Ended() == "" {
		out.PID, out.RSS = s.process.PID(), u.RSS
	}
	return out
}

// retire adds what an ended process has used to the account. The caller holds mu.
func (s *Scheduler) retire() {
	if s.process != nil {
		s.spent.CPU += s.process.Usage().CPU
	}
}

// PID of the process, 0 when none runs.
func (s *Scheduler) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil || s.process.Ended() != "" {
		return 0
	}
	return s.process.PID()
}

// LogTail is the end of its output, at most the given number of lines. Restarts append to the same log.
func (s *Scheduler) LogTail(lines int) []string { return process.Tail(s.logFile(), lines) }

// LogFile is where its output goes; gone after Close.
func (s *Scheduler) LogFile() string { return s.logFile() }

// MetricsURL is where it serves its metrics (kube-scheduler's an administrator's token opens): of another than a built-in
// kind what its profile says, and empty where that says nothing.
func (s *Scheduler) MetricsURL() string {
	b, ok := builtinOf(s.plan.kind)
	if !ok {
		return s.plan.Profile.Metrics
	}
	return fmt.Sprintf("%s://127.0.0.1:%d/metrics", b.scheme, s.port.Port)
}

// Describe says in one line what is under test, for people.
func (s *Scheduler) Describe() string {
	if s.plan.kind == execKind {
		return "command " + s.plan.Exec
	}
	if v := s.plan.Profile.Version; v != "" {
		return s.plan.kind + " " + v
	}
	return s.plan.kind
}
