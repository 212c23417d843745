package engine

import "k8s.io/apimachinery/pkg/types"

// PlanKind says what a plan proposes.
type PlanKind uint8

// The kinds of plans.
const (
	// NoPlan: preemption does not help, or may not be used; Why says why.
	NoPlan PlanKind = iota
	// Wait: those who end anyway make room enough. Nobody more is to be evicted.
	Wait
	// Evict: the victims make room enough, together with those who end anyway.
	Evict
)

// String is the name of the constant.
func (k PlanKind) String() string { return [...]string{"NoPlan", "Wait", "Evict"}[k] }

// GroupRef is a group by kind, name, UID and the generation known of it.
type GroupRef struct {
	Kind Kind
	Key
	UID        types.UID
	Generation int64
}

// Plan is the answer to Preempt. Nothing is done about it until Nominate is told.
type Plan struct {
	Root    Root
	Kind    PlanKind
	Why     string   // of NoPlan: a clause for people; empty where nothing is worth saying
	Victims []PodRef // to be evicted now
	// Groups are the groups disrupted as a whole: those with disruption mode all, and the groups below them.
	Groups []GroupRef
	// Placements are where the pods of the root would go; the room is theirs to be nominated for.
	Placements []Placement
	// Kept: the placements are those nominated before.
	Kept bool
	Cost Cost

	awaited map[Key]types.UID
}
