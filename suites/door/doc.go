// Package door is the second way in, for those whose conformance runs are Ginkgo suites: every requirement is a spec
// with labels for its area, level and maturity, and a label filter chooses among them.
//
//	MUSTER_BIN=$PWD/bin/muster go test ./suites/door -ginkgo.label-filter='GANG && MUST' -ginkgo.v
//
// It is a thin shell. The binary named by MUSTER_BIN is executed once with the requirements that the filter leaves, and
// each spec reads its verdict from the report; nothing is judged here. MUSTER_ARGS holds further flags of muster
// conformance, separated by blanks ("--scheduler-profile mine.yaml"). Where neither MUSTER_BIN nor KUBECONFIG is set
// the suite says so and is skipped, so that go test ./... stays quick.
package door
