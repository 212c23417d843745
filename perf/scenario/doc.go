// Package scenario holds the named loads of performance runs, as data.
//
// A Scenario says how many nodes of what shape there are, and in which phases what is created on them. It contains no
// logic: what it means to create, wait and finish is the runner's business, so that a load can be read, compared with
// upstream's, and disputed without reading code. The files are data/*.yaml, one an area.
//
// # Size
//
// Every scenario has a size of its own, upstream's where upstream has one. At resolves it for another number of nodes and
// a scale:
//
//	s, err := scenario.Named("gangs-of-8")
//	sized, err := s.At(scenario.Size{Nodes: 500, Scale: 0.5})
//	sized.Plan()   // what will be created: measure.Plan
//	sized.Memory() // what it will take, before anything is started
//
// The number of nodes changes what is said per node (Group.PerNode: a fill, a background), the scale the number of
// groups; the size of a group stays, unless it is said to grow with the cluster (Group.SizePerNode: a gang over all
// nodes). At refuses what then makes no sense: a load that no longer fits, an infeasible gang that has become feasible, a
// perfect fit that no longer is one, a scale that would change nothing of what is measured.
package scenario
