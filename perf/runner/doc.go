// Package runner makes performance runs and measures them.
//
// # A run
//
// One run is one scenario in one size with one side. It gets a control plane of its own, with the nodes in its storage
// before it starts, waits until the scheduler has bound a canary pod,
// opens a record, and goes through the scenario's phases: what prepares the cluster, the mark, what is measured. It waits by
// following the record, never by asking. When the last pod is bound it reads the metrics a second time, completes the
// record, ends everything, and only then judges and measures, from the file, so that whoever has the file gets the same
// numbers.
//
// # A cluster a run
//
// Runs do not share a cluster. In a shared one the second run finds an etcd with the first one's revisions, a watch cache
// and a heap that have grown, caches of the scheduler full of pods that are being deleted, and pods that hold what the next
// wants to have: emptying it takes longer than starting anew (14 s for 2,000 pods in gangs), and which side goes first
// would matter. A fresh cluster is the same for everybody.
//
// # Held back
//
// A backlog is whole before the scheduler is let go: its process is stopped and started again. Freezing it would leave
// its watches to overflow, and what it then needs to recover would be measured; so what is measured is that it comes up,
// which it does for every side.
//
// # Light
//
// Creator and observer share two cores with what they measure. Pods are written in protobuf from templates built once;
// only those resources are recorded that the scenario has objects of; requests are recorded without their bodies; metrics
// are scraped twice and reduced to what is read. The watches are of storage: the API server has none more to serve, and is
// not what tells when something happened. What muster itself used is in every result (Fairness.OwnShare), and how
// late it saw things (Fairness.WatchLag), through a probe on the very watch by which binds are seen.
package runner
