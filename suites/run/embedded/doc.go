// Package embedded is the world a run is staged in by default: the control plane that this binary starts from itself, a
// recorder with raw watches, and the scheduler under test as a process.
//
// It holds no rules. It translates between what package run asks for and what fakes/cluster, fakes/undertest and
// suites/history/record offer.
package embedded
