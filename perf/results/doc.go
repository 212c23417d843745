// Package results is what performance runs leave behind, as data: for whoever writes reports, compares sides or judges a
// gate. It knows nothing about clusters, and whatever reads it needs none.
//
// A Record is one invocation: on which machine, which Sides, and every Run in the order in which they ran. A Run is one
// repetition of one sized scenario with one side: the numbers (measure.Result), the primary figure, what the checks had
// to say, and where its history lies, from which all of it can be had again.
//
// An interrupted invocation leaves a Record too: the runs that ended, perhaps one that did not, marked Incomplete.
package results
