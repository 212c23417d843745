package history

// Contract of View's methods (implemented beside): to be folded into view.go.
type viewContract interface {
	// Pod is the last incarnation of the named pod of the scenario's namespace; nil if there never was one.
	Pod(name string) *Pod
	// Gang likewise; Members are all pods (all incarnations) that name it.
	Gang(name string) *Gang
	Members(gang string) []*Pod
	Node(name string) *Node
	// Bound are the members bound at s and neither finished, deleted nor gone then; BoundEver counts those ever bound.
	BoundAt(gang string, s Stamp) []*Pod
	// Mark is the driver's named point; ok is false where it was never reached.
	Mark(name string) (Stamp, bool)
	// Try is the recorded response of Env.Try(label).
	Try(label string) (Response, bool)
	// Settle is the settle bound in force.
	// Replay walks the totally ordered events of this view and hands the state after each to f until it returns false.
	Replay(f func(s *State, at Stamp) bool)
	// StateAt is the state in force at s.
	StateAt(s Stamp) *State
	// Now is the last stamp recorded (the end, for a finished scenario).
	Now() Stamp
}
