// Package premise proves, from recorded state and with suites/oracle, the assumptions scenarios rest on: "short by
// exactly one, although a plain pod of the shape fits".
//
// Every function asks the same question of the record: given the nodes and pods that existed at a place of the history,
// which of these pods could have been placed? The pods asked about are lifted out of the state first, wherever they
// stand, and everything else stays where it is: nobody is evicted or moved in thought. Pods on their way out still
// take their place, as they do for a scheduler.
//
// Where the pods belong to a gang that demands one topology domain, so does the question; members that are bound and not
// asked about then fix the domain.
//
// Who follows a replay and asks again and again uses Rooms, which answers at the price of what changed in between; Watcher
// says when there is anything to ask anew, and Standing who stands where.
//
// An error means that it cannot be decided from this record (no such place, a question too big for an exact answer,
// something the oracle does not model); the judge then says Inconclusive.
package premise
