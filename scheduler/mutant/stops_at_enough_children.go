package mutant

func init() {
	add(Mutant{
		Name:     "stops-at-enough-children",
		About:    "It does not place the children of a composite beyond as many as the composite needs.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-004", "CPG-013", "CPG-020", "CPG-031"},
		May:      []string{"INV-004", "INV-007"},
		fault:    optionalChildrenNeed(1 << 20),
	})
}
