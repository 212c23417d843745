package control

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

const (
	// waitingNotice: a group whose members are being created passes through this state; it is said when it lasts.
	waitingNotice = time.Second
	// refusalNotice lets attempts that follow each other within a moment be said once.
	refusalNotice = 100 * time.Millisecond
	// messageNotice is how often a condition is rewritten only because its message changed.
	messageNotice = 10 * time.Second
	messageLimit  = 2048
)

// Reasons of conditions. Those of attempts that failed are the documented ones.
const (
	reasonScheduled = "Scheduled"
	// reasonWaiting: something is missing that no node can give.
	reasonWaiting = "Waiting"
	// reasonInvalid is documented for composites in a tree that cannot be: a circle, or too many levels.
	reasonInvalid = "Invalid"
)

// scheduledCondition is the condition of a group that says whether its requirement was met once.
func scheduledCondition(k engine.Kind) string {
	if k == engine.KindComposite {
		return engine.CompositeInitiallyScheduled
	}
	return schedulingv1beta1.PodGroupInitiallyScheduled
}

// notice is what is to be said about a root that was not placed, or not wholly.
type notice struct {
	decision engine.Decision
	planned  bool // it is on the agenda
}

// note remembers what there is to say after an attempt. It is said a little later, as it is known by then.
func (s *Scheduler) note(d engine.Decision) {
	open := len(d.Left) > 0
	for _, g := range d.Groups {
		open = open || g.Exists && !g.Satisfied && g.Outcome != engine.Idle
	}
	if !open {
		delete(s.notices, d.Root)
		return
	}
	n := s.notices[d.Root]
	if n == nil {
		n = &notice{}
		s.notices[d.Root] = n
	}
	n.decision = d
	for _, g := range d.Groups {
		if st := s.groups[groupTarget(g.Kind, g.Key)]; st != nil {
			st.latest = n
		}
	}
	for _, l := range d.Left {
		if st := s.pods[l.Pod.Key]; st != nil {
			st.latest = n
		}
	}
	after := refusalNotice
	if d.Outcome == engine.Waiting {
		after = waitingNotice
	}
	s.sayLater(n, after)
}

func (s *Scheduler) sayLater(n *notice, after time.Duration) {
	if n.planned {
		return
	}
	n.planned = true
	s.agenda.add(s.now().Add(after), func() {
		n.planned = false
		if s.notices[n.decision.Root] == n {
			s.say(n)
		}
	})
}

// say asks for the conditions of a root that was not wholly placed to be written, where they differ from what stands.
func (s *Scheduler) say(n *notice) {
	d := n.decision
	if s.rounds[d.Root] != nil {
		s.sayLater(n, refusalNotice)
		return
	}
	why := ""
	if d.Outcome == engine.Unschedulable || d.Outcome == engine.Placed {
		why = s.explain(d.Root)
		if p := s.prospects(d.Root); p != "" {
			why = strings.TrimPrefix(why+"; "+p, "; ")
		}
	}
	wait := time.Duration(0)
	for _, g := range d.Groups {
		t := groupTarget(g.Kind, g.Key)
		st := s.groups[t]
		if st == nil || st.latest != nil && st.latest != n || st.uid != g.UID || !g.Exists || g.Outcome == engine.Idle || g.Outcome == engine.Placed {
			continue
		}
		if (st.final || g.Satisfied) && !s.opts.Fault.Fickle {
			continue
		}
		c := refusal(scheduledCondition(g.Kind), g.Outcome, g.Reason, why, g.Generation)
		if g.Kind == engine.KindComposite && (g.Reason.Code == engine.ParentCycle || g.Reason.Code == engine.ParentTooDeep) {
			c.Reason = reasonInvalid
		}
		if say := s.opts.Fault.Condition; say != nil && !say(g.Kind, &c) {
			continue
		}
		wait = max(wait, s.ask(d.Root, s.groupWriter, t, &st.podState, c))
	}
	for _, l := range d.Left {
		st := s.pods[l.Pod.Key]
		if st == nil || st.latest != nil && st.latest != n || st.uid != l.Pod.UID {
			continue
		}
		c := refusal(string(corev1.PodScheduled), outcomeOf(l.Reason, d.Outcome), l.Reason, why, 0)
		wait = max(wait, s.ask(d.Root, s.podWriter, podTarget(l.Pod.Key), st, c))
	}
	if wait > 0 {
		s.sayLater(n, wait)
	}
}

// claimReasons are those of pods that wait for a claim.
var claimReasons = []engine.Code{engine.ClaimMissing, engine.ClaimUnbound, engine.ClaimLeaving, engine.ClaimForeign, engine.ResourceClaimMissing}

// outcomeOf is what a pod that was left out shares with its root; one that was left out of a success had no room, or
// waits for a claim.
func outcomeOf(r engine.Reason, root engine.Outcome) engine.Outcome {
	switch {
	case slices.Contains(claimReasons, r.Code):
		return engine.Waiting
	case root == engine.Placed || root == engine.Idle:
		return engine.Unschedulable
	}
	return root
}

// refusal is the condition for an outcome that is no success.
func refusal(kind string, o engine.Outcome, r engine.Reason, why string, generation int64) metav1.Condition {
	c := metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Message: r.String(), ObservedGeneration: generation}
	switch o {
	case engine.Waiting:
		c.Reason = reasonWaiting
	case engine.Error:
		c.Reason = schedulingv1beta1.PodGroupReasonSchedulerError
	default:
		c.Reason = schedulingv1beta1.PodGroupReasonUnschedulable
		// What no node can make good is no matter of nodes: they would be said to lack what nobody has looked for on them.
		if why != "" && r.Code != engine.DeviceClassMissing && r.Code != engine.DeviceFault {
			c.Message = strings.TrimPrefix(c.Message+"; "+why, "; ")
		}
	}
	if len(c.Message) > messageLimit {
		c.Message = strings.ToValidUTF8(c.Message[:messageLimit], "") + "…"
	}
	return c
}

func (s *Scheduler) explain(r engine.Root) string {
	var parts []string
	for _, x := range s.engine.Explain(r) {
		parts = append(parts, x.String())
	}
	return strings.Join(parts, "; ")
}

// ask has a condition written unless it stands already. A condition that only reads differently waits for its time,
// which is returned.
func (s *Scheduler) ask(root engine.Root, w *writer, t target, st *podState, c metav1.Condition) time.Duration {
	now := s.now()
	if s.opts.Fault.Restless {
		s.said++
		c.Message = fmt.Sprintf("%s (attempt %d)", c.Message, s.said)
	}
	c.LastTransitionTime = metav1.NewTime(now)
	if old := st.cond; old != nil && old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
		if old.Reason == c.Reason && old.ObservedGeneration == c.ObservedGeneration {
			if old.Message == c.Message {
				return 0
			}
			if since := now.Sub(st.told); since < messageNotice && !s.opts.Fault.Restless {
				return messageNotice - since
			}
		}
	}
	st.cond, st.told = &c, now
	w.set(t, &wish{root: root, uid: st.uid, rv: st.rv, cond: c})
	return 0
}

// confirm has True written for the groups of a root that are satisfied. No round of the root may be under way. While an
// event about one of its pods is still to come it waits: the event has the root looked at again.
func (s *Scheduler) confirm(root engine.Root, groups []engine.GroupResult) {
	for _, r := range s.awaited {
		if r == root {
			return
		}
	}
	for _, g := range groups {
		t := groupTarget(g.Kind, g.Key)
		st := s.groups[t]
		if !g.Satisfied || !g.Exists || st == nil || st.final || st.uid != g.UID {
			continue
		}
		st.final = true
		c := metav1.Condition{Type: scheduledCondition(g.Kind), Status: metav1.ConditionTrue,
			Reason: reasonScheduled, Message: "what the group requires is bound", ObservedGeneration: g.Generation,
			LastTransitionTime: metav1.NewTime(s.now())}
		if say := s.opts.Fault.Condition; say != nil && !say(g.Kind, &c) {
			continue
		}
		st.cond = &c
		s.groupWriter.set(t, &wish{uid: st.uid, cond: c})
	}
}

// refused hears that a condition was not written: the object is another by now, is gone, or must not be written to.
func (s *Scheduler) refused(t target, w *wish, err error) {
	s.log.V(2).Info("a condition was not written", "object", t, "about", t.about, "answer", err)
	if t.about != "" { // it names no version: the object is gone, or another
		return
	}
	if t.kind != engine.KindPod && w.cond.Status == metav1.ConditionTrue {
		s.agenda.add(s.now().Add(waitingNotice), func() { s.sayAgain(t, w, err) })
		return
	}
	st := s.pods[t.Key]
	if g := s.groups[t]; g != nil {
		st = &g.podState
	}
	if st == nil || st.uid != w.uid || !conflicted(err) {
		return
	}
	st.cond = st.seen // what was asked for does not stand there; say it again, with the times of what does
	if n := s.notices[w.root]; n != nil {
		s.sayLater(n, waitingNotice)
	}
}

// sayAgain repeats a True that met another writer.
func (s *Scheduler) sayAgain(t target, w *wish, err error) {
	if st := s.groups[t]; st != nil && st.uid == w.uid && conflicted(err) {
		s.groupWriter.set(t, w)
	}
}
