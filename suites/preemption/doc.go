// Package preemption holds the scenarios of the preemption profile: whom a scheduler evicts so that a group, or a pod, of
// higher priority can run, and whom it leaves alone.
//
// A story has three parts. Victims-to-be are created on their nodes, so that no scheduler has a part in the set-up and
// their start is certain. A preemptor comes that does not fit. Then either it is bound and the right pods are gone, or
// nothing at all was touched for as long as a scheduler may take.
//
// Premises are proven from the record with the oracle: at the mark "ready" the preemptor did not fit, and with the legal
// victims taken away it would have (or, where nobody may be evicted, it would not). Who was evicted is read from deletion
// timestamps and the DisruptionTarget condition; the driver's own deletions are known from its actions.
//
// Which of several equally good victims was chosen is never judged. Where kube-scheduler would choose at random between
// a good and a bad place, the stage is set so that it does not: a ballast pod that asks for CPU makes one node look
// fuller than the other.
//
// A story that says how few may go does not end with the last bind: evictions go out beside binds, and take longer. It looks
// on for a while (kit.AwaitOver), and a test asks every judge what it says of one more eviction just before the end.
//
// Messages and Events are for people. What they say of preemption is quoted as the value of a MAY, and nothing more.
//
// The field faults FIELD-010 to FIELD-019 are told here too, as they share the stage.
package preemption
