package runner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"muster/fakes/undertest"
	"muster/suites/history"
)

// contender is the scheduler of a run, and the gate (workloads/arrive) that holds it back until a backlog is whole: it is
// stopped, and started again. What it needs to come up is then part of what is measured, for every side alike.
type contender struct {
	*undertest.Scheduler
	driver *driver

	mu   sync.Mutex
	held bool
	// spent is what earlier processes of it have used: samples count from the start of the present one.
	spent time.Duration
}

// Hold stops it.
func (c *contender) Hold(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held {
		return nil
	}
	if err := c.Scheduler.Stop(ctx); err != nil {
		return err
	}
	c.held, c.spent = true, c.Scheduler.Sample().CPU
	c.driver.say(history.VerbStop, "", history.Action{})
	return nil
}

// Release starts it. The sample says that whatever its metrics come to show began at zero.
func (c *contender) Release(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.held {
		return nil
	}
	c.driver.say(history.VerbStart, "", history.Action{})
	if err := c.Scheduler.Start(ctx); err != nil {
		return fmt.Errorf("starting the scheduler for its backlog: %w", err)
	}
	c.held = false
	s := c.sample()
	s.Metrics = map[string]float64{"muster_scheduler_started": 1}
	c.driver.rec.Sample(history.VerbProcess, s)
	return nil
}

// look is what it uses now; alive is false where it has ended without being asked to.
func (c *contender) look() (s history.Sample, alive bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s = c.sample()
	return s, c.held || s.PID != 0
}

func (c *contender) sample() history.Sample {
	u := c.Scheduler.Sample()
	return history.Sample{Process: history.ProcessScheduler, PID: u.PID, CPU: u.CPU - c.spent, RSS: u.RSS}
}
