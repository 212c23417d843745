// Package robust holds the scenarios in which something breaks: the scheduler is killed between two binds, binds are
// refused or their answers lost, watches end or tell nothing, the API server is slow or away, nodes go and come back,
// groups, their parents, their claims and their pods are deleted half way, and of two schedulers the one that leads ends.
//
// What is asked of a scheduler is always the same few things: that no gang is left in part, that nothing is given out
// twice, that it goes on within a bound once the fault is over, that it does not end, and that it does not wear the API
// server out meanwhile. The invariants ask most of it in every scenario; the requirements of this profile (ROB) ask what
// depends on the fault.
//
// Every fault is part of the record: a judge proves first that it struck where it should have. Faults are over well
// within the settle bound, so that no bound is stretched by what the scheduler could not help. The scenarios run one
// after the other in one cluster, with the scheduler behind a proxy (package fakes/faults/proxy), and only when the
// profile is asked for by name.
package robust
