// Package check holds the invariants: what must hold in every history, whatever the scenario was about. Each check is a
// pure function from a View to findings and quotes the rule it enforces.
//
// A check must never accuse wrongly, since a vendor will read what it says. Three ideas serve that.
//
// Legal exceptions are part of the rule. Gates, members of other schedulers, members that were lost, a quorum raised later,
// a scheduler the driver stopped: each check knows those that touch its rule, and then has nothing to say about the gang.
//
// A scheduler acts on what it has seen, a little late. Where somebody else changed the cluster at about the time of a
// decision (see lag), the check doubts instead of accusing.
//
// A bound is made of what is documented and of what was measured. The settle bound holds a back-off and a base for the
// rest; how long the rest took everybody at that time is what the canary pods say (see patience).
//
// Doubt is a verdict. Where the record has gaps, or does not order two resources the rule compares, or where the exact
// answer about room is out of reach, the finding is Inconclusive: neither a pass nor a fail.
//
// A check that found nothing to look at returns nothing; the invariant is then not exercised by that scenario. Otherwise it
// returns a Fail for every violation, an Inconclusive for every doubt, and one Pass that says how much was looked at.
package check
