package devices

import (
	"fmt"

	resourceapi "k8s.io/api/resource/v1"

	. "muster/suites/history/historytest"
)

// describing gives a device a text attribute.
func describing(d resourceapi.Device, attribute, value string) resourceapi.Device {
	d.Attributes = map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{resourceapi.QualifiedName(attribute): {StringValue: &value}}
	return d
}

func vendorStories() []story {
	// tell binds all members of each gang, to devices of the right kind, but for what spoil names.
	tell := func(spoil string) *Builder {
		b := New().Nodes(len(wants))
		for i, w := range wants {
			node := fmt.Sprintf("node-%d", i)
			var devices []resourceapi.Device
			for d := range w.members {
				devices = append(devices, describing(device(fmt.Sprintf("dev-%d", d)), w.attribute, w.value))
			}
			equipped(b, node, append(devices, describing(device("other"), w.attribute, "something else"))...)
			claiming(b.Gang(w.pool, int32(w.members)), w.pool, w.members)
			for m := range w.members {
				held := fmt.Sprintf("%s/dev-%d", node, m)
				if m == 0 && spoil == w.pool+" wrong" {
					held = node + "/other"
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
		{"devices-vendors", "a device of another kind", tell("mi300x wrong"), verdicts{"DRA-052": fail, "DRA-053": pass}},
		{"devices-vendors", "a partition less", tell("mig waits"), verdicts{"DRA-052": pass, "DRA-053": fail}},
	}
}
