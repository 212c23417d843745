// Package stage lends control planes to many trials, so that each of a hundred rewrites does not wait for one of its own.
//
// A Stage starts a control plane the first time a set of gates is asked for, and the reference scheduler in front of it the
// first time one is wanted; both live until Close. What a trial gets is that cluster behind a proxy of its own, which
// carries out the trial's rules: its driver and its recorder reach the API server through the proxy and in no other way.
// The components of the control plane and the scheduler do not, so that trials do not disturb one another. They are apart
// by namespace and pool, as scenarios always are.
//
// A trial of a scheduler is a Guest: it has its own scheduler in front of the cluster, with a name and pools of its own, and
// where it is to survive faults a proxy between the two. Guests are divided among a few control planes. A cluster is watched
// once for the records of all its guests, each of which is told of what is its own (record.Hub), and none measures what the
// components of the control plane use: otherwise n guests cost n times n.
//
// A cluster with gates of its own is lent to one trial at a time, since its scenario may count on being alone there, and ends when
// nobody waits for it. For the shard in which it restarts components a trial gets a cluster that nobody else is lent; its other
// shards it shares.
package stage
