// Package report turns the record of an invocation into the report that is kept and published: v1alpha1.PerfReport, and
// from that the Go benchmark format.
//
// A record holds everything, in the words of the packages that measure; a report holds what others may rely on, in a
// versioned type. Of is the one place where the one becomes the other: medians with their intervals, ratios of paired
// runs with theirs (package compare), and of each run its values, its conditions, and why it is no measurement where it
// is none. Nothing is measured here, and nothing is left out because it looks bad: invalid runs are listed with their
// problems, and enter no median.
//
// Package reports/write makes pages of it; WriteAll leaves all forms behind.
package report
