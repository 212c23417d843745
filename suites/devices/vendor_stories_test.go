package devices

import (
	"fmt"
	stdslices "slices"

	resourceapi "k8s.io/api/resource/v1"

	"muster/fakes/nodes"
	"muster/suites/history"
	. "muster/suites/history/historytest"
)

func vendorStories() []story {
	// tell binds all members of each gang, to devices of the right kind, but for what spoil names.
	tell := func(spoil string) *Builder {
		b := New(func(_ *history.Header, s *history.Scope) {
			for _, w := range wants {
				s.Pools[w.pool] = "real-" + w.pool
			}
		})
		for _, w := range wants {
			node := nodes.Name("real-"+w.pool, 0)
			b.Node(node, NodeLabel(nodes.PoolLabel, "real-"+w.pool))
			right, wrong := kinds(b.View(), w.pool, w.attribute, w.value)
			claiming(b.Gang(w.pool, int32(w.members)), w.pool, w.members)
			for m := range w.members {
				held := right[m]
				if m == 0 && spoil == w.pool+" wrong" {
					held = wrong[0]
				}
				if m > 0 || spoil != w.pool+" waits" {
					given(b, fmt.Sprintf("%s-%d", w.pool, m), held, node)
				}
			}
		}
		for _, w := range wants {
			b.Mark(w.pool + " bound")
		}
		return b
	}
	return []story{
		{"devices-vendors", "as it should be", tell(""), verdicts{"DRA-052": pass, "DRA-053": pass}},
		{"devices-vendors", "one waits", tell("mi300x waits"), verdicts{"DRA-052": fail, "DRA-053": pass}},
		{"devices-vendors", "a partition less", tell("mig waits"), verdicts{"DRA-052": pass, "DRA-053": fail}},
		{"devices-vendors", "a partition of another size", tell("mig wrong"), verdicts{"DRA-053": fail}},
	}
}

// kinds are the devices of a pool that have an attribute with the value, and those that do not.
func kinds(v *history.View, pool, attribute, value string) (right, wrong []string) {
	devices, err := vendored(v, pool)
	if err != nil {
		panic(fmt.Sprintf("devices: %v", err))
	}
	for name, d := range devices {
		if says := d.Attributes[resourceapi.QualifiedName(attribute)].StringValue; says != nil && *says == value {
			right = append(right, name)
		} else {
			wrong = append(wrong, name)
		}
	}
	stdslices.Sort(right)
	stdslices.Sort(wrong)
	return right, wrong
}
