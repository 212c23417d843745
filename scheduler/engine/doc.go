// Package engine decides where pods go: it is the thinking part of the reference scheduler, and only that.
//
// It is pure. It has no client, no clock and no goroutine; it is told what happened (UpsertNode, UpsertPod, UpsertGroup
// and so on), is asked about one root at a time (Solve), is told what will be carried out (Assume) or was not (Forget),
// and says whom the events may have helped (Woken). Whoever drives it must not call it from two goroutines at once.
//
// A root is what is decided as a whole: a pod of its own, a PodGroup, or the topmost CompositePodGroup of a tree.
//
// Four ideas make it fast.
//
// Shapes. Pods that are equal for placement (requests, node selection, tolerations, host ports, rules about other pods)
// share one shape. Labels are no part of it, since controllers give every pod its own; they are looked at only where
// some rule reads them. Per shape and node a table keeps how many more copies fit. A gang of a thousand equal workers is
// then one look at each node, not a thousand.
//
// Change log. Whatever alters a node appends the node to a log; a table reads the log from where it stopped when it is
// next used, and looks at the nodes named there only. Tables that fall behind too far are rebuilt.
//
// Sums. A table keeps its nodes in buckets by how many copies fit, the total, and per topology key the sum of every
// domain. Whether a gang of equal pods fits, and in which domains, is read from the sums before any node is looked at.
//
// Cohorts. Nodes that are alike are kept together, and a shape without a table is looked up on one node of each cohort: a
// refusal costs neither a table nor a look at every node, and says the same.
//
// Devices are counted by the package devices: a shape says what the claims of its pods ask for, and a table counts them
// with everything else. Claims that pods share are given devices first, because these decide which nodes are left. A
// decision says for each claim what it is to be allocated; Assume holds it, and what the API says later counts.
//
// Pods whose place depends on other pods (affinity, anti-affinity, spread, shared claims) and pods that prefer some
// nodes are placed one by one; a gang of several shapes is placed hardest shape first, and where that leaves the quorum
// unmet and the gang is small, an exact search with a step budget decides. docs/scheduler.md has a worked example and
// the limits.
//
// A root for which there is no room may ask for victims (Preempt). They are units, that is pods or whole groups, of lower
// priority, and they are named only if what must be placed together then fits. The least is looked for by Cost; who ends
// anyway costs nothing. What is going to be done about it is told with Nominate: from then on the room is kept for the
// root, against all whose priority is not higher, until it is placed, gives it up (Renounce), or a victim stays (Spare).
package engine
