package mutant

func init() {
	add(Mutant{
		Name:     "extra-children-in-part",
		About:    "Children of a composite beyond as many as it needs it takes for basic groups.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-003"},
		May:      []string{"INV-001", "INV-002", "INV-005"},
		fault:    optionalChildrenNeed(1),
	})
}
