package runner

import (
	"errors"
	"fmt"
	"time"

	"muster/perf/scenario"
)

// await returns when all pods of a phase that can be bound have been, and those that cannot have been told; and, where the
// phase ends its pods, when they have ended.
func (st *stage) await(phase int, p *scenario.Phase) error {
	if err := st.awaitBinds(phase, p); err != nil {
		return err
	}
	if err := st.awaitRefusals(phase, p); err != nil || !p.Finish {
		return err
	}
	return st.clear(phase, p, st.ending.all)
}

// awaitBinds waits for the last pod that can be bound. How many can is the question of a perfect phase: that is over when
// nothing more comes of it.
func (st *stage) awaitBinds(phase int, p *scenario.Phase) error {
	patience := st.o.Patience
	if p.Perfect {
		// Whoever has not found room for more by then has had every attempt that its profile allows it.
		patience = st.attempts(p)
	}
	c, err := st.tally.until(st.ctx, phase, patience, func(c counts) bool { return c.bound >= c.toBind })
	switch {
	case errors.Is(err, errStalled) && p.Perfect:
		st.say(fmt.Sprintf("%s: %d of %d pods are bound, and no more come", p.Name, c.bound, c.toBind))
		return nil
	case err != nil:
		return fmt.Errorf("%w: %d of %d pods are bound", err, c.bound, c.toBind)
	}
	return nil
}

// awaitRefusals waits until the groups that cannot be bound have been told. Of a phase that only stands in the way it is the
// attempt that counts: a scheduler that tells of none has had it after the time an attempt may take.
func (st *stage) awaitRefusals(phase int, p *scenario.Phase) error {
	patience := st.o.Patience
	if !p.Measured {
		patience = st.attempts(p)
	}
	c, err := st.tally.until(st.ctx, phase, patience, func(c counts) bool { return c.refused >= c.unbound })
	switch {
	case errors.Is(err, errStalled) && !p.Measured:
		st.say(fmt.Sprintf("%s: %d of %d groups that cannot be placed were told so, and no more are", p.Name, c.refused, c.unbound))
		return nil
	case err != nil:
		return fmt.Errorf("%w: %d of %d groups that cannot be placed were told so", err, c.refused, c.unbound)
	}
	return nil
}

// clear ends the pods of a phase, those of a perfect one that were not bound by deleting them, and waits until they have
// ended. end asks for both.
func (st *stage) clear(phase int, p *scenario.Phase, end func(finish, remove []string)) error {
	bound, waiting := st.tally.left(phase)
	if !p.Perfect {
		waiting = nil
	}
	end(bound, waiting)
	st.tally.touch()
	over := func(c counts) bool {
		if p.Perfect {
			return c.over >= c.planned
		}
		return c.over >= c.toBind
	}
	if c, err := st.tally.until(st.ctx, phase, st.o.Patience, over); err != nil {
		return fmt.Errorf("%w: %d of %d pods have ended", err, c.over, c.planned)
	}
	return nil
}

// attempts is how long a scheduler may take for as many attempts at the phase's largest group as its profile allows it.
func (st *stage) attempts(p *scenario.Phase) time.Duration {
	largest := 0
	for _, g := range p.Groups {
		largest = max(largest, g.Size())
	}
	return min(st.o.Patience, st.profile.Settle(largest))
}
