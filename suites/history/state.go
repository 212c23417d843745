package history

import corev1 "k8s.io/api/core/v1"

// State is the cluster (as far as the view's scope reaches) at one place of the history: what an oracle needs to say
// what would have fitted. It is shared and reused by Replay: do not keep it.
type State struct {
	At Stamp
	// Nodes by name that exist.
	Nodes map[string]*corev1.Node
	// Pods by UID that exist and have not finished.
	Pods map[string]*PodState
	// Gangs by namespace/name that exist.
	Gangs map[string]*GangState
	// Delta says what Replay has changed since the state it handed out before; nil where nobody has: compare then.
	Delta *Delta
}

// Delta is the difference between two states that a Replay handed out one after the other, so that whoever follows all
// of them need not compare whole clusters at every step.
type Delta struct {
	// Walk is the replay's own; Step numbers its states from 1.
	Walk *Delta
	Step int
	// Pods by UID, Nodes by name and Gangs by namespace/name that came, changed or went, some perhaps more than once. The
	// lists are the replay's own: they are good until the next state.
	Pods, Nodes, Gangs []string
}

// PodState is a pod at one place.
type PodState struct {
	*Pod
	// Now is its form at this place as far as it decides what room it takes and what others it keeps away; of its status and
	// the like it may show an earlier one.
	Now *corev1.Pod
	// NodeName is where it is bound (empty: not).
	NodeName string
	Gated    bool
	Deleting bool
	// form and bound are what it was made from (see change).
	form  *corev1.Pod
	bound bool
}

// GangState is a gang at one place.
type GangState struct {
	*Gang
	Quorum int32
}
