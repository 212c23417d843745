package mutant

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "takes-conflicts-for-done",
		About:    "It takes a bind that was answered with a conflict for one that somebody has made before.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-002"},
		May:      []string{"INV-001", "INV-004", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{Answer: func(_ engine.PodRef, _ string, err error) error {
				if apierrors.IsConflict(err) {
					return nil
				}
				return err
			}}
		},
	})
}
