package mutant

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "takes-silence-for-consent",
		About:    "It takes a bind to which the API server has said nothing for one that was carried out.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-007", "ROB-008"},
		May:      []string{"ROB-009", "ROB-010", "INV-001", "INV-004", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{Answer: func(_ engine.PodRef, _ string, err error) error {
				var said apierrors.APIStatus
				if !errors.As(err, &said) {
					return nil
				}
				return err
			}}
		},
	})
}
