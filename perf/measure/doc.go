// Package measure turns a recorded run into numbers. It is pure: the same history gives the same numbers, today or in a
// year, on any machine. Nothing here talks to a cluster, reads a clock or waits.
//
// # Where the numbers come from
//
// Objects (pods, gangs, nodes) are read from a history.View; what was sampled (CPU and memory of processes, scraped
// metrics) from the history's events, through a Tape. What the load was meant to be is a Plan. Of puts all of it
// together:
//
//	tape := measure.NewTape(h, v)
//	r := measure.Of(tape, measure.Options{Plan: plan})
//	if !r.Validity.Valid { … r.Validity.Problems … }
//
// # What a sceptic asks first
//
// How long did it really take: throughput is given over the bind window (first to last bind) and over the whole run
// (first creation to last bind), never as the best second. Which time: the recorder's monotonic clock, at which an
// event was received; Fairness says how much later than it happened that was. How many samples: a Distribution has
// percentiles only where at least five samples lie beyond them, else median and maximum. What was counted: counters are
// the difference of two readings of one series, never a sum over readings. And whether the number means anything at all:
// Validity names the runs that measured their creator or their observer instead of the scheduler.
//
// # Integrals
//
// Allocation, occupancy and fragmentation are integrals of step functions over time. They are computed in integers of
// arbitrary size (amount × nanoseconds), so that a week of a large cluster adds up to the same ratio however its events
// are cut.
//
// # Attribution
//
// Only binds that are the scheduler's own (history.Pod.ByScheduler) count as its work. Pods that the driver bound, or
// that were bound when first seen, still take room. So does whatever was created before the driver's mark MarkMeasured: it
// prepares the cluster and is in no throughput and no latency. Rules are rules throughout: Partial looks at every gang.
package measure
