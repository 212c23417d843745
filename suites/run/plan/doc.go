// Package plan decides, before anything is started, what a run is about: which requirements are expected to get a
// verdict, which scenarios give it, and which of both the control plane cannot offer.
//
// The expected set is fixed here and carries a digest, so that a report can be compared with another one only where
// both were asked the same questions. NotSupported is decided here and nowhere else, from three sources: a capability
// the cluster lacks, a gate of the control plane (never of the scheduler) that is off, and what the user declared
// unsupported. Names that do not exist are refused with the nearest ones that do.
//
// The package is pure: it is handed the catalogue, the registered scenarios and what a cluster offers.
package plan
