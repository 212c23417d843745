package mutant

import "muster/scheduler/engine"

func init() {
	add(Mutant{
		Name:     "keeps-the-room-of-deleted-trees",
		About:    "What a tree of groups was about to take when it was deleted is taken for ever; gangs of their own give it back.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-016"},
		May:      []string{"INV-004", "INV-007"},
		fault:    keepsRoom(func(r engine.Root) bool { return r.Kind == engine.KindComposite }),
	})
}
