// Package ceiling is a binder that makes no decision: what is left of a scheduler when everything clever is taken out.
// The rate at which it binds is what the control plane can do, on this machine and today, for any scheduler at all.
//
// # What it does
//
// It has the watches a scheduler has (nodes, pods, both kinds of groups, claims, slices, and what volumes need), over
// protobuf, and keeps next to nothing of what it hears. It sends one bind a pod, one status patch a group once what the
// group requires is bound (PodGroupInitiallyScheduled, True), and for a claim what a scheduler has to write: the
// finalizer, then the allocation with its consumer. A fixed number of workers sends binds, first come first served, and
// as many send conditions: those that are due do not wait behind the binds of a backlog, so that they are part of what is
// measured. Which number is best is for a sweep to find (Options.Concurrency).
//
// # What it does not do
//
// A pod goes to the next node that has room: a counter for each resource, host port and device, and a cursor over the
// nodes that the pod's selector, affinity and tolerations allow. Nothing is scored, nobody is preempted, no pod is
// spread, volumes are not looked at, no condition says why something waits, no event object is written. Priorities and
// the policies of CompositePodGroups are ignored: the groups at their leaves are bound each for itself.
//
// # Why gangs wait for their quorum all the same
//
// A gang is begun only when its quorum of members exists and all of it has a place, and a gang with a topology
// constraint goes to the first domain that takes it. Both are counting, not choosing; they cost next to nothing, and
// without them the ceiling would be that of another task: a gang's first bind cannot come before its last member. It
// also means that the checks can judge the ceiling as they judge everybody: what it breaks is only what it declares to
// ignore.
//
// Loads that need evictions, or whose figure is the time until a group is told that it does not fit, have no ceiling:
// whoever runs it leaves them out. Where the fit must be perfect it shows what counting alone leaves unplaced.
//
// # Ideas
//
// The world is pure: events go in, jobs come out, one lock around it. Reflectors feed it directly, without informers
// and their caches, because nothing is ever looked up.
package ceiling
