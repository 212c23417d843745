// Package builder holds the scenarios of the builder profile: what comes of workloads whose controller uses the published
// library for compiling Workloads.
//
// The controller is workloads/shapes. A scenario's driver lets it reconcile, through the environment, so that every
// object it creates is recorded with the API server's answer; the judges then look at those answers and at what the
// Job controller, the garbage collector and the scheduler make of the objects.
package builder
