// Package control runs the reference scheduler against an API server: it tells the engine what happens, asks it about
// one root at a time, carries its decisions out and says what became of them.
//
// One goroutine, the loop, owns the engine and everything that is known about roots. Informers, binders and status
// writers run beside it and speak to it only by leaving functions in its inbox. The loop therefore needs no lock, and a
// decision always stands on everything that had arrived before it.
//
// The queue holds the roots worth an attempt, by priority, then age. A root enters it when the engine names it as woken:
// because it is new, or because an event may have helped it. There is no periodic retry; what does not fit costs nothing
// until something changes that could make it fit. Only failed binds are retried by time, with a back-off that doubles
// from 100 ms to 10 s.
//
// Whatever fits is placed, also past roots of higher priority that do not fit (backfill). The head of those that wait,
// by priority, then age, has its turn when it has waited for HeadWait: if the emptied cluster would take it, the nodes it
// would use are closed to all others until it is placed, goes away, or a better head has waited as long. Room is kept
// for one root at a time.
//
// A root that finds no room asks the engine for victims. They are told by a condition and deleted, groups that go as a
// whole are told too, and the pods that are to have their room are nominated. The root is tried again when the last one it
// waits for has ended. Whom preemption does not help is asked about again when room has come free anywhere, not more often
// than every 250 ms and later each time.
//
// A decision is carried out as a round: all placements are assumed, then bound by a bounded number of binders, one gang
// after the other. A bind that was refused is looked into: only a pod that the API server says has no node is given back
// to the engine, because what may have been bound must not be planned with twice. While a round is under way its root
// is not tried again. After a round that failed one bind of the next goes first, and the nodes that refused are avoided
// for a while.
//
// Claims come before binds: a round that needs devices first has every ResourceClaim allocated and reserved, one write of
// the status for each, and binds when all of them are. If one cannot be written, all are released and the round is planned
// anew. What a failed bind had reserved is released before the engine hears of it, so that no device is promised twice.
//
// Conditions are written behind the binds: True once every bind of the round has been confirmed, and never anything
// after that; False a moment after the attempt, so that a group whose members are still being created does not cost a
// write for each of them, and not again for a changed message within ten seconds. False is written against the version
// of the object it was decided on, so that it cannot overwrite what it did not know of.
//
// Nothing is remembered across a restart: what is bound is seen in the API, half-bound gangs are completed because the
// engine counts their bound members, and conditions that a crash kept from being written follow when the group is seen.
package control
