// Package job holds the scenarios of the job profile: what becomes of a Job that says how its pods are to be scheduled,
// or that says nothing about it.
//
// The Job controller makes a Workload and a PodGroup for a Job and puts the pods into the group. The scenarios look at
// these objects the way a user does: from the pods to the group they name, from the group to its Workload. Names are
// never relied on. The pods carry a scheduling gate, so that no scheduler has a part in it; only the scenario that asks
// whether a gang Job is placed as a whole lets them go, and that one judges the scheduler.
//
// How a driver reads an object: by a patch that changes nothing, whose answer is recorded. Whether a group ever existed,
// when, and with which minCount is in the watched record anyway.
package job
