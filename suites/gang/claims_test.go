package gang

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// lookedAt lets the driver look at the claims of pods, of which those given name a node.
func lookedAt(b *historytest.Builder, pods, given []string) *historytest.Builder {
	for _, p := range pods {
		claim := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: p}}
		if slices.Contains(given, p) {
			claim.Annotations = map[string]string{selectedNode: "node-0"}
		}
		raw, err := json.Marshal(claim)
		if err != nil {
			panic(fmt.Sprintf("encoding claim %s: %v", p, err))
		}
		b.Try(seenClaim(p), "patch", "persistentvolumeclaims", p, history.Response{Code: 200, Object: raw})
	}
	return b
}

// What was observed is told apart in words.
func TestObservedValues(t *testing.T) {
	want := map[string]string{
		"gang-gated-member-joins/waits":             "0 of 2 members without a gate bound",
		"gang-gated-member-joins/is bound":          "2 of 2 members without a gate bound",
		"gang-claims-without-room/nothing is given": "0 of 2 claims of the gang; 1 of 1 of a pod that fits",
		"gang-claims-without-room/they are given":   "1 of 2 claims of the gang; 1 of 1 of a pod that fits",
	}
	for _, s := range stories() {
		name := s.scenario + "/" + s.name
		value, ok := want[name]
		if !ok {
			continue
		}
		delete(want, name)
		_, findings := kittest.Judge(t, s.scenario, s.tell.View())
		if len(findings) != 1 || findings[0].Value != value {
			t.Errorf("%s: %+v, want the value %q", name, findings, value)
		}
	}
	if len(want) > 0 {
		t.Errorf("no such stories: %v", want)
	}
}
