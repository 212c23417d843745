package runner

import (
	"fmt"
	"time"

	"muster/fakes/cluster/process"
)

const (
	// quietEvery is how often the processes are looked at: long enough that a tick of the kernel's clock is little of it.
	quietEvery = 500 * time.Millisecond
	// quietCores is what all processes of a control plane with nothing to do may use together.
	quietCores = 0.15
	// quietTimes is how many times in a row it has to be so few.
	quietTimes = 2
	// quietPatience is the longest wait. A control plane that never rests is measured as it is.
	quietPatience = 2 * time.Minute
)

// quiet waits until the control plane has nothing left to do from its start. With thousands of nodes, controllers and
// simulated kubelets are busy with them for a while after everything is ready, and whatever is measured in that time shares
// the machine with it. Nothing can be watched for this: processor time has no events.
func (st *stage) quiet() {
	begun := time.Now()
	tick := time.NewTicker(quietEvery)
	defer tick.Stop()
	last, lastAt := st.used(), begun
	for rested := 0; rested < quietTimes && time.Since(begun) < quietPatience; {
		select {
		case <-st.ctx.Done():
			return
		case now := <-tick.C:
			used := st.used()
			if cores := float64(used-last) / float64(now.Sub(lastAt)); cores < quietCores {
				rested++
			} else {
				rested = 0
				st.say(fmt.Sprintf("waiting for the control plane to come to rest: it uses %.1f cores", cores))
			}
			last, lastAt = used, now
		}
	}
}

// used is the processor time of all processes of the control plane.
func (st *stage) used() (sum time.Duration) {
	for _, pid := range st.cluster.Processes() {
		if u, err := process.Alone(pid); err == nil {
			sum += u.CPU
		}
	}
	return sum
}
