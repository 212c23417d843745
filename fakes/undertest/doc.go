// Package undertest puts a scheduler in front of a cluster: as a process of its own, so that it can be measured, killed
// and started again like any other program, and so that nothing it does can touch what judges it.
//
// Three kinds: a built-in role of this binary (kube-scheduler), a command of the user's (--scheduler-exec), and none at
// all. All of them run as system:kube-scheduler, hang on a leash (fakes/cluster/process), and are ready when a canary
// pod has been bound: no scheduler is asked for a health endpoint, because not every one has one, and because binding a
// pod is what is expected of it.
//
// The canary has a node of its own which nothing else tolerates. Its bind latency, taken again and again during a run,
// is the unit in which bounds of that run are given: a slow machine stretches both alike.
//
// What is known about a scheduler is data, a Profile: its schedulerNames, the API it speaks, how long it may back off,
// who made it.
package undertest
