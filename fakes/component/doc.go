// Package component holds the roles this binary can re-execute itself as: etcd, kube-apiserver,
// kube-controller-manager, kube-scheduler, kwok, and the guard around a command that is not ours.
//
// One binary, many processes. Linking the whole control plane into muster means that a fresh machine with only Go and
// make has everything after one build, in versions that go.mod pins; running each role as a process of its own means
// that each has its own memory, garbage collector, feature gates and metrics, and that the scheduler under test can be
// measured and killed like any other program.
//
// Main is called first thing in main, before any command line of muster's own is set up, because importing Kubernetes
// fills the global flag sets with Kubernetes' flags.
//
// This is the only package that imports k8s.io/kubernetes: whatever imports this package links 190 MB. Whoever wants
// to start a role does it through fakes/cluster/process, which imports nothing.
package component
