// Package compare says whether one scheduler is slower than another, and when it cannot be said.
//
// # Ratios of one run on one machine
//
// Nobody else's machine is this one, and this one is not what it was an hour ago. So the sides are run in turns, in
// blocks of A B B A (Interleave), and what is compared is the ratio of the two runs that stood next to each other. What
// changes slowly, a warming machine or a growing etcd, hits A as often after B as before it; the test (Paired) takes it
// out as an order effect instead of counting it as noise.
//
// # A gate with three answers
//
// Gate tests one primary figure, one-sided, on the logarithms of the ratios, at α = 0.01 with at least twelve pairs. Its
// unit is the block (Blocked): pairs of one block are no independent witnesses. It answers Pass, Regression, or
// Undecidable with the reason: too few runs, runs that spread so widely that the loss the gate is there for could not
// have been seen, a figure that is absent, zero, or of another shape. A gate that cannot decide never passes, and a
// machine that got faster never fails it. Neither passes a gate on throughput whose sides come near the ceiling
// (Options.Ceiling): there it is the API server that is measured.
//
// There are no absolute thresholds. A stored baseline is a set of fractions of the ceiling measured in its own run
// (Baseline); one that is not normalised is refused.
//
// What a gate can see on some machine is a measurement, too: StudyRuns draws gates from sixty recorded runs a side of a
// scheduler and of the same one slowed down, and says how often it is noticed, and how often equal sides raise an alarm.
//
// # Sides must be equal
//
// Unequal lists what one side had and the other had not (client limits, webhooks, processes), and what is known of
// neither. A comparison of unequal sides measures the inequality.
package compare
