package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/engine"
)

// selectedNode is the annotation by which a claim that waits for its first consumer learns the node.
const selectedNode = "volume.kubernetes.io/selected-node"

// claimWait is how long a placed pod waits for its claims to be bound before it is given back.
const claimWait = 10 * time.Minute

var errClaimWait = errors.New("its PersistentVolumeClaims were not bound in time")

// selectNode writes the node into the annotations of the claims.
func (b *binder) selectNode(ctx context.Context, j *job) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]string{selectedNode: j.Node}}})
	if err != nil {
		return fmt.Errorf("encoding the annotation of a claim: %w", err)
	}
	for _, name := range j.Claims {
		for try := 1; ; try++ {
			limited, cancel := context.WithTimeout(ctx, callTimeout)
			_, err := b.client.CoreV1().PersistentVolumeClaims(j.Pod.Namespace).Patch(limited, name, types.MergePatchType, patch, metav1.PatchOptions{})
			cancel()
			if err == nil {
				break
			}
			if !mayPass(err) || try == bindTries || !b.pause(ctx, try, err) {
				return fmt.Errorf("telling claim %s/%s its node: %w", j.Pod.Namespace, name, err)
			}
		}
	}
	return nil
}

// parked is a job whose claims have been told the node.
type parked struct {
	*job
	chosen map[string]bool // claims that were seen to name the node
}

// park keeps a job until its claims are bound.
func (s *Scheduler) park(j *job) {
	s.parked = append(s.parked, &parked{j, map[string]bool{}})
	s.agenda.add(s.now().Add(claimWait), func() {
		if s.unpark(func(o *parked) bool { return o.job == j }) {
			s.ended(j, isFree, errClaimWait)
		}
	})
	s.claimsMoved()
}

// unpark takes jobs out of the waiting ones, and reports whether there was any.
func (s *Scheduler) unpark(which func(*parked) bool) bool {
	before := len(s.parked)
	s.parked = slices.DeleteFunc(s.parked, which)
	return len(s.parked) < before
}

// claimsMoved goes on with the jobs whose claims are bound by now, and gives up those whose claims will be of no use: a claim
// ceases to name the node when it cannot be provided for there, say.
func (s *Scheduler) claimsMoved() {
	if len(s.parked) == 0 {
		return
	}
	var ready, broken []*job
	var why []error
	s.unpark(func(p *parked) bool {
		bound, err := s.prepared(p)
		switch {
		case err != nil:
			broken, why = append(broken, p.job), append(why, err)
		case bound:
			ready = append(ready, p.job)
		}
		return bound || err != nil
	})
	for _, j := range ready {
		j.prepared = true
		s.binder.add(j)
	}
	for i, j := range broken {
		s.ended(j, isFree, why[i])
	}
}

// prepared reports whether the claims of a job are bound, or why they never will be.
func (s *Scheduler) prepared(p *parked) (bound bool, err error) {
	bound = true
	for _, c := range p.Claims {
		k := engine.Key{Namespace: p.Pod.Namespace, Name: c}
		state, why := s.engine.Prepared(k, p.Node)
		switch {
		case state == engine.ClaimBroken:
			return false, errors.New(why)
		case state == engine.ClaimNames:
			p.chosen[c] = true
		case state == engine.ClaimOpen && p.chosen[c]: // else the event that it names the node is still to come
			return false, fmt.Errorf("PersistentVolumeClaim %s does not name node %s any more", k, p.Node)
		}
		bound = bound && state == engine.ClaimBound
	}
	return bound, nil
}

func (s *Scheduler) upsertClaim(obj *corev1.PersistentVolumeClaim) {
	s.engine.UpsertClaim(obj)
	s.claimsMoved()
}

func (s *Scheduler) deleteClaim(obj *corev1.PersistentVolumeClaim) {
	s.engine.DeleteClaim(keyOf(obj))
	s.claimsMoved()
}

// dropParked ends what waits for the claims of a pod that is gone.
func (s *Scheduler) dropParked(pod engine.PodRef) {
	var gone []*job
	s.unpark(func(p *parked) bool {
		if p.Pod != pod {
			return false
		}
		gone = append(gone, p.job)
		return true
	})
	for _, j := range gone {
		s.ended(j, isElse, nil)
	}
}
