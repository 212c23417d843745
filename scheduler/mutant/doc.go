// Package mutant is a set of schedulers that are wrong on purpose: the reference scheduler, each with one seeded fault that
// a real scheduler could have. A conformance suite that is worth trusting fails every one of them, in exactly what the
// fault breaks and in nothing else.
//
// A mutant is a value in a file of its own, named by its fault. It says which requirements it kills, that is, which ones
// must be found violated when it is judged; the others it must pass, so that a requirement is known to be able to fail by
// itself and not only in general ruin. Faults come in through the seams of control.Fault and engine.Fault: most change what
// the engine hears of an object, or what is done with its answer; a few are wrong inside a decision.
//
// To add one: write a file that calls add in an init function, and run muster prove --mutant with its name. What it turns
// out to kill, beyond what was meant, is either a consequence worth declaring or a fault that is too gross.
package mutant
