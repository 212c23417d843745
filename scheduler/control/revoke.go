package control

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/engine"
)

// revocation is an allocation that is being taken back. Until that has been done, and been seen, nobody is bound with the claim:
// what is known of it here says that it has devices and is reserved.
type revocation struct {
	claim *resourcev1.ResourceClaim // as it was when that was decided
	done  bool                      // the API server has been asked
	seen  bool                      // the claim is known to be another by now
	// waiting are the roots that would have been bound with it.
	waiting []engine.Root
}

// revoke takes back the allocations of claims, once each, from those for whom they were reserved when that was decided.
func (s *Scheduler) revoke(list []*resourcev1.ResourceClaim) {
	for _, c := range list {
		if s.revoked[c.UID] != nil {
			continue
		}
		s.revoked[c.UID] = &revocation{claim: c}
		s.log.Info("taking back the allocation of a claim that nobody uses", "claim", keyOf(c))
		s.binder.add(&job{errand: &errand{namespace: c.Namespace, release: true, wrote: true, consumers: c.Status.ReservedFor,
			claim: engine.DeviceClaim{Name: c.Name, UID: c.UID, Allocation: c.Status.Allocation}}})
	}
}

// takenBack follows the answer. If there is none, the claim stays as it is.
func (s *Scheduler) takenBack(e *errand, err error) {
	r := s.revoked[e.claim.UID]
	if err != nil {
		s.log.Error(err, "taking an allocation back", "claim", e.claim.Name, "namespace", e.namespace)
		r.seen = true
	}
	r.done = true
	s.endRevocation(e.claim.UID, r)
}

// claimSeen notes what a claim is like now.
func (s *Scheduler) claimSeen(obj *resourcev1.ResourceClaim) {
	if r := s.revoked[obj.UID]; r != nil {
		now, was := &obj.Status, &r.claim.Status
		r.seen = now.Allocation == nil || !sameDevices(now.Allocation, was.Allocation) || len(now.ReservedFor) != len(was.ReservedFor) ||
			slices.ContainsFunc(was.ReservedFor, func(c resourcev1.ResourceClaimConsumerReference) bool { return !reservedFor(obj, c.UID) })
		s.endRevocation(obj.UID, r)
	}
}

// claimGone notes that a claim is gone.
func (s *Scheduler) claimGone(uid types.UID) {
	if r := s.revoked[uid]; r != nil {
		r.seen = true
		s.endRevocation(uid, r)
	}
}

func (s *Scheduler) endRevocation(uid types.UID, r *revocation) {
	if !r.done || !r.seen {
		return
	}
	delete(s.revoked, uid)
	for _, root := range r.waiting {
		s.lookAgain(root)
	}
}

// awaitRevocation makes a decision wait that would bind pods with a claim whose allocation is being taken back.
func (s *Scheduler) awaitRevocation(d *engine.Decision) {
	if len(s.revoked) == 0 {
		return
	}
	for _, p := range d.Placements {
		for _, c := range p.Devices {
			if r := s.revoked[c.UID]; r != nil && c.UID != "" {
				if !slices.Contains(r.waiting, d.Root) {
					r.waiting = append(r.waiting, d.Root)
				}
				refuse(d, engine.Waiting, engine.Reason{Code: engine.DeviceFault,
					Detail: "the allocation of ResourceClaim " + keyOf(r.claim).String() + " is being taken back; then it is tried again"})
				return
			}
		}
	}
}
