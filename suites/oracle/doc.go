// Package oracle answers one question exactly: of these pods, how many can stand on these nodes at the same time?
//
// It is what the judges lean on. "The gang did not fit, so binding one of its pods was wrong" and "it did fit, so
// leaving it pending was wrong" are only worth something if fitting is decided by somebody other than the scheduler
// being judged; so the oracle shares no code with any scheduler. It reads corev1 objects, uses the published helpers of
// k8s.io/component-helpers for node affinity, taints and resource arithmetic, and is built to be obviously right rather
// than fast: small, pure (no clock, no client, no randomness), and exact.
//
// Two ideas keep it exact at useful sizes.
//
// Shapes. Pods that are equal for placement are one shape with a count. A thousand equal workers on thousands of nodes
// are then a sum of "how many copies fit here" over the nodes, not a search.
//
// Frontiers. With several shapes, what a set of nodes can take is described by its Pareto frontier: the count vectors
// that nothing dominates. Frontiers of disjoint sets of nodes add up, so the nodes are folded in one by one. Host ports
// and anti-affinity over one topology key are conflicts inside a node or a domain and leave domains independent.
// Required pod affinity, topology spread and anti-affinity over several keys tie domains together; those questions are
// answered by a search over placement sequences with a memo, since these rules look at what has been placed before.
//
// "At the same time" means: there is an order in which each pod, when its turn comes, is allowed on its node by the
// rules of the API, given everything placed before it. A scheduler that places pods one after another can reach exactly
// these placements, though a greedy one may miss them.
//
// A question that would take too many steps is answered with ErrTooBig, never with a guess. What the oracle does not
// model (volumes, claims for devices, namespace selectors) is listed by Unmodelled; it is ignored in the count, so that
// the answer is then an upper bound: "does not fit" stays true, "fits" does not.
package oracle
