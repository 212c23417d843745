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

// park keeps a job until its claims are bound.
func (s *Scheduler) park(j *job) {
	s.parked = append(s.parked, j)
	s.agenda.add(s.now().Add(claimWait), func() {
		if s.unpark(func(o *job) bool { return o == j }) {
			s.ended(j, isFree, errClaimWait)
		}
	})
	s.claimsMoved()
}

// unpark takes jobs out of the waiting ones, and reports whether there was any.
func (s *Scheduler) unpark(which func(*job) bool) bool {
	before := len(s.parked)
	s.parked = slices.DeleteFunc(s.parked, which)
	return len(s.parked) < before
}

// claimsMoved goes on with the jobs whose claims are bound by now.
func (s *Scheduler) claimsMoved() {
	var ready []*job
	s.unpark(func(j *job) bool {
		for _, c := range j.Claims {
			if !s.boundClaims[engine.Key{Namespace: j.Pod.Namespace, Name: c}] {
				return false
			}
		}
		ready = append(ready, j)
		return true
	})
	for _, j := range ready {
		j.prepared = true
		s.binder.add(j)
	}
}

func (s *Scheduler) upsertClaim(obj *corev1.PersistentVolumeClaim) {
	s.engine.UpsertClaim(obj)
	k := engine.Key{Namespace: obj.Namespace, Name: obj.Name}
	if obj.Status.Phase != corev1.ClaimBound {
		delete(s.boundClaims, k)
		return
	}
	s.boundClaims[k] = true
	s.claimsMoved()
}

func (s *Scheduler) deleteClaim(obj *corev1.PersistentVolumeClaim) {
	k := engine.Key{Namespace: obj.Namespace, Name: obj.Name}
	delete(s.boundClaims, k)
	s.engine.DeleteClaim(k)
}

// dropParked ends what waits for the claims of a pod that is gone.
func (s *Scheduler) dropParked(pod engine.PodRef) {
	var gone []*job
	s.unpark(func(j *job) bool {
		if j.Pod != pod {
			return false
		}
		gone = append(gone, j)
		return true
	})
	for _, j := range gone {
		s.ended(j, isElse, nil)
	}
}
