// Package v1alpha1 is the report of a conformance run as a versioned API type: kind ConformanceReport, apiVersion
// muster/v1alpha1, with a JSON schema that is checked in beside it.
//
// A report has to answer, years later and without muster: who was judged, by what, against which questions, under
// which conditions, and what was found. So it carries the expected and the executed set with digests, the gates in
// force in each component and what went off as a dependent of another, the seed and the node shapes, and for every
// requirement the sentence's source, the verdict, and the findings it rests on. A run that was cut short says
// incomplete, and no profile of it is conformant.
//
// PerfReport is the same for a performance run: one type, one schema, so that a figure can be disputed years later from
// what stands beside it: the machine, the command, the runs that were thrown away and why, and under what conditions
// each of the others was made.
//
// The package holds data types only: whatever writes a report imports it, and it imports no machinery.
package v1alpha1
