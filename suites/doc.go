// Package suites holds the words every other room of the conformance side speaks: Requirement, Scenario,
// Finding, Verdict, and the registry they are found in.
//
// The idea in one paragraph. A requirement is one sentence a conforming scheduler (or control plane) must satisfy.
// A scenario drives workloads so that the requirement is put to the test, and never decides anything while it does.
// Everything that happens is recorded in a history; afterwards the scenario's Judge, a pure function, reads a View of
// that history and returns findings. A stored history can therefore be judged again, by a better judge, on another
// machine, years later, and the live verdict is by construction the offline verdict.
//
// Adding a scenario is adding one file with one Scenario literal that init hands to Register. Nothing else changes.
//
// The package is a leaf: it imports the data types of suites/history and workloads/build and nothing that talks to a
// cluster, so that reports can import it.
package suites
