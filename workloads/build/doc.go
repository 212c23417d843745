// Package build turns options structs into Kubernetes objects: pods, claims, priority classes, and the controllers that
// make pods of their own.
//
// A scenario should read as data. So everything it can ask for is a field of a struct whose zero value is safe
// (Pod{Name: "a", Shape: Shape{GPUs: 1}} is a whole pod), and what a scenario cannot know, such as the real name of its
// node pool, comes from its environment in a Defaults. Where options do not reach, Mutate has the last word.
//
// A Gang is neutral: what every gang API can say in one way or another. This package does not write it: which object a
// gang becomes, and how a pod says that it belongs to one, is the business of workloads/dialect.
//
// The functions are pure and share nothing with their arguments, so options structs can be reused and copied freely.
package build
