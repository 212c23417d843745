// Package standing keeps a cluster up for use by hand, after the command that started it has returned.
//
// Everything muster starts ends with its parent (fakes/cluster/process), so somebody has to stay: a supervisor, this
// binary in a session of its own, which holds the leashes and does nothing but wait. Launch starts one and follows what
// it says over a pipe until the cluster is ready. Down tells it to end.
//
// What is up is written in one folder per cluster, in a state folder that only its user may enter: a record, and a lock
// file that the supervisor keeps locked while it lives. The lock, not the process id in the record, says whether a
// cluster is alive; it survives kill -9 and the reuse of process ids.
package standing
