package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "every-node-reaches-all",
		About:    "It takes devices of one node for devices that every node reaches.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-011", "DRA-041"},
		May:      []string{"INV-015"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceSlice: func(s *resourcev1.ResourceSlice) {
				if s.Spec.NodeName != nil {
					s.Spec.NodeName, s.Spec.AllNodes = nil, ptr.To(true)
				}
			}}
		},
	})
}
