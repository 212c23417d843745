package mutant

import "muster/scheduler/control"

func init() {
	add(Mutant{
		Name:     "never-rests",
		About:    "It tries what found no room again at once, and tells each time how often it has.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-012"},
		fault: func() *control.Fault {
			return &control.Fault{Restless: true}
		},
	})
}
