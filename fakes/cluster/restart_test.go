package cluster

import (
	"slices"
	"strings"
	"testing"
)

// Other gates and versions reach the flags, what depends on a gate goes with it, and what the cluster was started with
// stays as it was.
func TestOtherFlags(t *testing.T) {
	o, err := Options{Name: "t", Gates: map[string]bool{"PodGroupPreemptionPolicy": false}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := ResolveGates(DefaultGates(), o.Gates)
	if err != nil {
		t.Fatal(err)
	}
	before := layout{options: o, gates: resolved, pki: &pki{}, users: newUsers()}
	flag := func(l layout, name string) string {
		for _, a := range l.apiServerArgs() {
			if v, ok := strings.CutPrefix(a, "--"+name+"="); ok {
				return v
			}
		}
		return ""
	}
	was := before.apiServerArgs()

	after, err := before.with(map[string]bool{"DRAWorkloadResourceClaims": false}, map[string]bool{"scheduling.k8s.io/v1beta1": false})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"DRAWorkloadResourceClaims", "PodGroupPreemptionPolicy"} {
		if after.gates.Gates[want] {
			t.Errorf("%s is on", want)
		}
	}
	if !after.gates.Gates["GenericWorkload"] {
		t.Error("GenericWorkload is off")
	}
	if got := flag(after, "runtime-config"); got != "scheduling.k8s.io/v1alpha3=true,scheduling.k8s.io/v1beta1=false" {
		t.Errorf("--runtime-config=%s", got)
	}
	if !slices.Equal(was, before.apiServerArgs()) {
		t.Error("the flags the cluster was started with have changed")
	}
	if _, err := before.with(map[string]bool{"NoSuchGate": true}, nil); err == nil {
		t.Error("a gate that does not exist is accepted")
	}
}

func TestComponentsThatCannotBeRestarted(t *testing.T) {
	e := &Embedded{options: Options{Name: "t"}}
	for _, name := range []string{Etcd, "kubelet", ControllerManager} {
		if err := e.StopComponent(t.Context(), name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("stopping %s: %v", name, err)
		}
		if err := e.StartComponent(t.Context(), name, nil, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("starting %s: %v", name, err)
		}
	}
}
