package control

import (
	"fmt"
	"time"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

// nominee is a root for which room is being made.
type nominee struct {
	plan    engine.Plan
	began   time.Time
	victims map[engine.PodRef]bool // of whose eviction nothing has been heard yet
	stay    []engine.PodRef        // those whose eviction was refused, while victims is not empty
}

// preempt asks for victims on behalf of a root that was just refused, and has them evicted.
func (s *Scheduler) preempt(root engine.Root) {
	if s.helplessAlike(root) {
		return
	}
	began := s.now()
	p := s.engine.Preempt(root)
	s.opts.Metrics.planned(p, s.now().Sub(began))
	if change := s.opts.Fault.Plan; change != nil {
		change(&p)
	}
	_, foreign := s.foreign(engine.Decision{Placements: p.Placements})
	if foreign {
		p = engine.Plan{Root: root, Why: "has pods of another scheduler"}
	}
	if p.Kind == engine.NoPlan {
		s.renounce(root)
		s.noHelp(p, foreign)
		return
	}
	s.helped(root)
	n := s.nominees[root]
	if n != nil && p.Kept {
		return
	}
	s.log.V(2).Info("making room", "root", root, "plan", p.Kind, "victims", len(p.Victims), "nominated", len(p.Placements))
	if !s.opts.Fault.Unnominated {
		s.engine.Nominate(p)
	}
	s.stirred = true
	next := &nominee{plan: p, began: began, victims: map[engine.PodRef]bool{}}
	if n != nil {
		next.stay = n.stay
		for v := range n.victims {
			next.victims[v] = true
		}
	}
	s.nominees[root] = next
	if !s.opts.Fault.Unnominated {
		s.nominate(n, p)
	}
	s.disrupt(p)
	for _, v := range p.Victims {
		next.victims[v] = true
		s.evictor.evict(v, fmt.Sprintf("%s: preempting to accommodate a %s of higher priority", s.opts.Names[0], root.Kind))
	}
}

// nominate writes the nodes of a plan into the pods' status, and takes back the nominations of the plan before.
func (s *Scheduler) nominate(before *nominee, p engine.Plan) {
	now := map[engine.PodRef]bool{}
	for _, pl := range p.Placements {
		now[pl.Pod] = true
		s.setNominated(pl.Pod, pl.Node)
	}
	if before == nil {
		return
	}
	for _, pl := range before.plan.Placements {
		if !now[pl.Pod] {
			s.setNominated(pl.Pod, "")
		}
	}
}

// setNominated has status.nominatedNodeName written, or removed, where it differs.
func (s *Scheduler) setNominated(pod engine.PodRef, node string) {
	st := s.pods[pod.Key]
	if st == nil || st.uid != pod.UID || st.nominated == node {
		return
	}
	st.nominated = node
	var value any
	if node != "" {
		value = node
	}
	s.podWriter.set(nominationTarget(pod.Key), &wish{uid: pod.UID, status: map[string]any{"nominatedNodeName": value}})
}

// disrupt says on the groups that are evicted as a whole that they are.
func (s *Scheduler) disrupt(p engine.Plan) {
	for _, g := range p.Groups {
		if s.opts.Fault.SilentGroups {
			break
		}
		t := groupTarget(g.Kind, g.Key)
		if st := s.groups[t]; st == nil || st.uid != g.UID {
			continue
		}
		t.about = schedulingv1beta1.DisruptionTarget
		s.groupWriter.set(t, &wish{uid: g.UID, cond: metav1.Condition{
			Type: schedulingv1beta1.DisruptionTarget, Status: metav1.ConditionTrue, Reason: schedulingv1beta1.PodGroupReasonPreemptionByScheduler,
			Message: fmt.Sprintf("its pods are evicted to accommodate a %s of higher priority", p.Root.Kind), ObservedGeneration: g.Generation,
			LastTransitionTime: metav1.NewTime(s.now())}})
	}
}

// evicted hears what became of an eviction. What a plan is worth is seen when that is known of all its victims: one that
// was made for the first that stays would take the others for gone, and have more evicted than are needed.
func (s *Scheduler) evicted(pod engine.PodRef, err error) {
	if err != nil {
		s.log.Error(err, "a victim was not evicted", "pod", pod.Key)
	}
	for root, n := range s.nominees { // one at most: who is a victim already is nobody else's
		if !n.victims[pod] {
			continue
		}
		delete(n.victims, pod)
		if err != nil {
			n.stay = append(n.stay, pod)
		}
		if len(n.victims) == 0 {
			s.evictedAll(root, n)
		}
		return
	}
	if err != nil {
		s.spare(pod)
	}
}

// evictedAll follows the last answer. Victims that stay are nobody's hope any more; who hoped is asked about again, later
// each time.
func (s *Scheduler) evictedAll(root engine.Root, n *nominee) {
	if len(n.stay) == 0 {
		s.opts.Metrics.evictedAll(s.now().Sub(n.began))
		return
	}
	s.retryLater(root)
	s.spare(n.stay...)
	n.stay = nil
}

func (s *Scheduler) spare(pods ...engine.PodRef) {
	for _, p := range pods {
		s.engine.Spare(p)
	}
	s.stirred = true
}

// renounce gives up the room kept for a root, and its nominations.
func (s *Scheduler) renounce(root engine.Root) {
	n := s.nominees[root]
	if n == nil {
		return
	}
	delete(s.nominees, root)
	s.engine.Renounce(root)
	s.spare(n.stay...)
	for _, pl := range n.plan.Placements {
		s.setNominated(pl.Pod, "")
	}
}

// prospects is what preemption does for a root, or why it does not help, in words.
func (s *Scheduler) prospects(root engine.Root) string {
	if n := s.nominees[root]; n != nil {
		return "room is being made by preemption: waiting for pods to end"
	}
	if h := s.helpless[root]; h != nil && h.why != "" {
		return "preemption does not help: " + h.why
	}
	return ""
}
