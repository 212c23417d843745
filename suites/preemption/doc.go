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
// The field faults FIELD-010 to FIELD-019 are told here too, as they share the stage.
package preemption
