// Package rewrite has control planes that are wrong on purpose: what a mutant is for requirements on schedulers, a Rewrite
// is for requirements on the API server and the controllers. It is data: what it is called, what it breaks, and the rules
// for a proxy (package faults) that stands between the real control plane and whoever judges it.
//
// The components of the control plane stay as they are. Of a refusal the client hears that it was an acceptance, of an owner
// reference that it is not there; the suite, its recorder and its judges see what a control plane with that fault would show
// them, through the very connection they always use.
//
// Table derives rewrites from the rows of a table of requests (package answer), one a requirement, by what the rows demand.
// Seen makes one of a distorted view of objects, for what controllers have to do; Beyond and Frozen distort by what was
// seen before. Besides makes one of a deed: when the client has asked for something, something is done to real objects that
// the right controllers would leave alone.
package rewrite
