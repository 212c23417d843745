package measure

import (
	"time"

	"muster/suites/history"
)

// Process is what a process used during the run.
type Process struct {
	// CPU is user and system time used between the first and the last sample, over all its incarnations; Over is the time
	// between those two samples, so CPU/Over is the mean number of cores.
	CPU  time.Duration `json:"cpu"`
	Over time.Duration `json:"over"`
	// PeakRSS is the greatest resident memory sampled, in bytes. What lies between two samples is not seen.
	PeakRSS int64 `json:"peakRSS"`
	// Samples taken, Restarts seen.
	Samples  int `json:"samples"`
	Restarts int `json:"restarts,omitempty"`
}

// Cores is the mean number of cores used.
func (p Process) Cores() float64 {
	if p.Over <= 0 {
		return 0
	}
	return p.CPU.Seconds() / p.Over.Seconds()
}

func processes(t *Tape) map[string]Process {
	out := map[string]Process{}
	for name, samples := range t.Samples {
		if p := process(samples); p.Samples > 0 {
			out[name] = p
		}
	}
	return out
}

// process adds up what the samples of one process say. CPU is counted from each process's own start, so it is the
// difference of two readings of one PID; of a PID that appears later everything counts.
func process(samples []history.At[history.Sample]) (p Process) {
	var first, last history.At[history.Sample]
	for _, s := range samples {
		if s.Value.CPU == 0 && s.Value.RSS == 0 {
			continue // a canary, a crash, or metrics alone
		}
		if p.Samples == 0 {
			first, last = s, s
		}
		p.Samples++
		p.PeakRSS = max(p.PeakRSS, s.Value.RSS)
		// A PID may come again, or not be sampled: less CPU than before is another process, too.
		if s.Value.PID != last.Value.PID || s.Value.CPU < last.Value.CPU {
			p.Restarts++
			p.CPU += s.Value.CPU
		} else {
			p.CPU += s.Value.CPU - last.Value.CPU
		}
		last = s
	}
	p.Over = max(last.Stamp.Since(first.Stamp), 0)
	return p
}
