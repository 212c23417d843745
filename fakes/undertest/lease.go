package undertest

import (
	"fmt"
	"strings"
	"time"
)

// Lease says how instances of a scheduler agree on which of them schedules. Which lease it is they know themselves: all
// instances of one kind ask for the same.
type Lease struct {
	// Duration after which a lease that is not renewed is anybody's, RenewDeadline after which its holder gives up, and
	// RetryPeriod between tries. A command of the user's has its own.
	Duration, RenewDeadline, RetryPeriod time.Duration
}

// leaderElectField is how a command says that it can be told to ask for a lease.
const leaderElectField = ".LeaderElect"

// Elects reports whether several instances of the scheduler can run at a time: all of a built-in kind but the ceiling can,
// and a command that says {{.LeaderElect}}.
func (o Options) Elects() bool {
	if o.Exec != "" {
		return strings.Contains(o.Exec, leaderElectField)
	}
	kind := o.Scheduler
	if kind == "" {
		kind = KubeScheduler
	}
	b, ok := builtinOf(kind)
	return ok && !b.hidden
}

// checkLease refuses a lease for what cannot be told to ask for one, and one that cannot be held.
func (p *plan) checkLease() error {
	l := p.Lease
	if l == nil {
		return nil
	}
	if !p.Elects() {
		return fmt.Errorf("scheduler %s cannot be told to ask for a lease: a command is by {{%s}}, which becomes true or false",
			p.kind, leaderElectField)
	}
	if l.RetryPeriod <= 0 || l.RenewDeadline <= l.RetryPeriod || l.Duration <= l.RenewDeadline {
		return fmt.Errorf("a lease of %s, given up after %s, asked for every %s: each has to be shorter than the one before",
			l.Duration, l.RenewDeadline, l.RetryPeriod)
	}
	return nil
}
