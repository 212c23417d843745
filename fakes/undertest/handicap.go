package undertest

import (
	"fmt"
	"syscall"
	"time"

	"muster/fakes/cluster/process"
)

// A handicap halts a scheduler's process for a share of its time: SIGSTOP, a moment, SIGCONT, many times a second. Any
// scheduler becomes slower by that share wherever it is itself the limit, without a line of its code changed. It is no
// slower where it waits for others. Should muster die while the process is halted, the kernel wakes it (it is a process
// group of its own that loses its parent), and its leash ends it.

const (
	// MaxHandicap keeps enough time to be called a scheduler.
	MaxHandicap = 0.9
	// handicapRound is how long one turn of running and being halted takes. Much longer than a timer is late, much shorter
	// than anything that is measured.
	handicapRound = 20 * time.Millisecond
)

func checkHandicap(share float64) error {
	if !(share >= 0 && share <= MaxHandicap) {
		return fmt.Errorf("a handicap of %v: it is a share of time, 0 to %v", share, MaxHandicap)
	}
	return nil
}

// handicap halts a process for a share of the time until it ends.
func handicap(p *process.Process, share float64) {
	began, halted := time.Now(), time.Duration(0)
	timer := time.NewTimer(0)
	defer timer.Stop()
	rest := func(d time.Duration) bool {
		timer.Reset(d)
		select {
		case <-timer.C:
			return true
		case <-p.Done():
			return false
		}
	}
	for rest(time.Duration(float64(handicapRound) * (1 - share))) {
		d := due(time.Since(began), halted, share)
		if d == 0 {
			continue
		}
		stopped := time.Now()
		if syscall.Kill(p.PID(), syscall.SIGSTOP) != nil {
			return
		}
		alive := rest(d)
		_ = syscall.Kill(p.PID(), syscall.SIGCONT)
		halted += time.Since(stopped)
		if !alive {
			return
		}
	}
}

// due is how long to halt now so that the share comes out right, whatever timers were late before: at most four rounds, and
// nothing where it would be too little to be worth two signals.
func due(elapsed, halted time.Duration, share float64) time.Duration {
	// While it is halted time passes too: (halted + d) / (elapsed + d) = share.
	d := time.Duration((share*float64(elapsed) - float64(halted)) / (1 - share))
	if d < handicapRound/100 {
		return 0
	}
	return min(d, 4*handicapRound)
}
