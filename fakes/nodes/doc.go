// Package nodes describes simulated nodes and what happens on them.
//
// A Pool is a number of equal nodes as data. Object turns one index of it into a corev1.Node that is complete at
// creation: capacity, conditions, addresses, labels, taints. The API server keeps the status of a node it is asked to
// create, so one POST makes a node that every scheduler takes for Ready, and nothing has to keep it alive
// afterwards: no heartbeats, no leases. That is why thousands of nodes cost next to nothing. Creating them is the
// business of the register package below this one; this one has no client, so that scenarios and checks can speak of
// pools.
//
// What a kubelet would do to pods, kwok does, with the stages in stages.yaml (see KwokConfig):
//
//   - a pod that is bound becomes Running and Ready with one status patch;
//   - it ends only when somebody says so, by the annotation FinishAnnotation, whoever owns it;
//   - a deleted pod is gone when its grace period is over, and not before.
//
// Of these, KwokConfigIdle has the last alone.
//
// Names and labels follow from the pool and the index alone, so the same pool makes the same nodes anywhere.
package nodes
