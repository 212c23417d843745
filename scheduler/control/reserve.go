package control

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/engine"
)

// errand is something to be done to a ResourceClaim: before the pods of a round are bound it is allocated and reserved,
// for all of its consumers at once; what is not needed after all is released.
type errand struct {
	namespace string
	claim     engine.DeviceClaim
	consumers []resourcev1.ResourceClaimConsumerReference
	pod       engine.PodRef // for which a claim is to be made
	release   bool
	all       bool   // release it whoever it is reserved for
	made      string // name of the claim that was made
	wrote     bool   // something may have been written
}

// errandsOf are what must be done to claims before the placements are bound: one for each claim.
func errandsOf(placements []engine.Placement) []*errand {
	var out []*errand
	known := map[types.UID]*errand{}
	for _, p := range placements {
		for _, d := range p.Devices {
			e := known[d.UID]
			if e == nil || d.Name == "" {
				e = &errand{namespace: p.Pod.Namespace, claim: d, pod: p.Pod}
				out = append(out, e)
				known[d.UID] = e
			}
			if !slices.Contains(e.consumers, d.Consumer) {
				e.consumers = append(e.consumers, d.Consumer)
			}
		}
	}
	return out
}

// setOut sends a round on its way: the claims first, and the binds when all of them are reserved.
func (s *Scheduler) setOut(r *round, jobs []*job) {
	errands := errandsOf(r.decision.Placements)
	if len(errands) == 0 {
		s.send(r, jobs)
		return
	}
	r.held, r.errands = jobs, errands
	s.run(r, errands)
}

func (s *Scheduler) run(r *round, errands []*errand) {
	list := make([]*job, len(errands))
	for i, e := range errands {
		list[i] = &job{round: r, errand: e}
	}
	r.open = len(list)
	s.binder.add(list...)
}

// returned notes the end of an errand. With the last one the binds follow, or if one failed, everything is released; when
// that is done, the pods of the round wait again.
func (s *Scheduler) returned(j *job, err error) {
	r := j.round
	if r == nil {
		s.takenBack(j.errand, err)
		return
	}
	if err != nil {
		s.log.Error(err, "a ResourceClaim could not be written", "claim", j.errand.claim.Name, "namespace", j.errand.namespace, "release", j.errand.release)
		r.refused = err
	}
	if r.open--; r.open > 0 {
		return
	}
	jobs := r.held
	switch {
	case j.errand.release:
		r.held = nil
		for _, o := range jobs {
			s.ended(o, isFree, r.refused)
		}
	case r.refused != nil:
		for _, e := range r.errands {
			e.release = true
		}
		s.run(r, r.errands)
	case s.opts.Fault.Hold != nil && s.opts.Fault.Hold(&r.decision):
	default:
		r.held = nil
		s.send(r, jobs)
	}
}
