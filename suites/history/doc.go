// Package history is what a run leaves behind, and how it is read: events in JSON lines, and the View that checks and
// judges see them through. It is pure: no client, no clock, no goroutine. Package record beside it writes histories
// from a cluster.
//
// # The file
//
// The first line is a Header, every other line an Event: what a watch delivered, what the driver did and was
// answered, what was measured. Objects appear whole once and as JSON merge patches from then on. Read is strict and
// names the line that is corrupt or cut off; ReadAll goes on behind it and lists what it could not read. Nothing is
// dropped in silence: where a line is missing there is a Gap.
//
// # From events to a view
//
// A Folder turns patches into whole objects, gives every event its place in the total order, and finds the gaps. A
// Builder makes a View of what the Folder gives it, one event at a time, so that a condition can be evaluated after
// each. NewView is the same Builder run over a stored history: what is true while a scenario runs is what is judged
// later.
//
//	h, err := history.Read(file, "main.jsonl")
//	for _, scope := range h.Scopes() {
//		v := history.NewView(h, native, scope)
//		if v.BoundCount("trainer") < 4 { … }
//	}
//
// # Order
//
// A Stamp is a place in the order, not a time. Where all objects are in one etcd (View.Ordered), resource versions
// are one counter and order events of all resources, however the watches overtake one another; marks and samples lie
// behind the highest version known when they were made. Elsewhere stamps follow the order of receipt, and a check that
// compares two resources must allow for that or say Inconclusive.
//
// # What belongs to a scenario
//
// Its begin event records its Scope: the pods of its namespaces and those from outside that were bound to nodes of its
// pools, its nodes, its gangs, its driver's actions, and crashes of the scheduler meanwhile. Its end event cuts the
// view off: what the clean-up deletes was not evicted. Binds that the driver made, of whichever scenario, are marked
// as such and never attributed to the scheduler (Pod.ByScheduler).
//
// # Doubt
//
// A gap is a stretch of a stream in which events may be missing: the watch broke and the resource was listed again,
// lines are missing, an event cannot be folded, the consistent list at the end differs from what the events add up
// to, or there is no such list because the record was cut off. Checks that depend on the resource turn a gap into
// Inconclusive, never into Pass.
package history
