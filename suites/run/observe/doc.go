// Package observe records what happens in any cluster, without doing anything in it: the histories of schedulers that
// nobody asked to be judged. It lists and watches, and needs no more rights than that (hack/rbac/record.yaml).
//
// Such a history has no scenarios. It is judged as a whole, by the invariants alone; see package judge.
package observe
