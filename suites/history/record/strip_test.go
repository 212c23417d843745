package record

import (
	"reflect"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

func TestStrip(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"managed fields", `{"metadata":{"name":"a","managedFields":[{"x":1}]}}`, `{"metadata":{"name":"a"}}`},
		{"the copy kubectl keeps", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}","b":"c"}}}`, `{"metadata":{"annotations":{"b":"c"}}}`},
		{"and nothing else there", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}}`, `{"metadata":{}}`},
		{"environment values of a pod", `{"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"x"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"f"}}}]}],"initContainers":[{"env":[{"name":"A","value":"x"}]}],"ephemeralContainers":[{"env":[{"name":"A","value":"x"}]}]}}`,
			`{"spec":{"containers":[{"name":"c","env":[{"name":"A"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"f"}}}]}],"initContainers":[{"env":[{"name":"A"}]}],"ephemeralContainers":[{"env":[{"name":"A"}]}]}}`},
		{"of a template", `{"spec":{"template":{"spec":{"containers":[{"env":[{"name":"A","value":"x"}]}]}}}}`, `{"spec":{"template":{"spec":{"containers":[{"env":[{"name":"A"}]}]}}}}`},
		{"of a custom resource", `{"spec":{"replicas":[{"env":[{"name":"A","value":"x"}]}]}}`, `{"spec":{"replicas":[{"env":[{"name":"A"}]}]}}`},
		{"a field that is only called env", `{"spec":{"env":"prod"}}`, `{"spec":{"env":"prod"}}`},
		{"values elsewhere stay", `{"spec":{"tolerations":[{"key":"k","value":"v"}]}}`, `{"spec":{"tolerations":[{"key":"k","value":"v"}]}}`},
		{"a Secret", `{"kind":"Secret","metadata":{"name":"s"},"data":{"a":"x"},"stringData":{"a":"x"}}`, `{"kind":"Secret","metadata":{"name":"s"}}`},
		{"a list of Secrets", `{"kind":"SecretList","items":[{"data":{"a":"x"}}]}`, `{"kind":"SecretList"}`},
		{"nulls", `{"metadata":{"creationTimestamp":null,"name":"a"},"spec":{"containers":[{"resources":null}]}}`, `{"metadata":{"name":"a"},"spec":{"containers":[{}]}}`},
		{"no metadata", `{"spec":{}}`, `{"spec":{}}`},
		{"odd shapes", `{"metadata":"x","spec":{"env":[1,null,"a"]}}`, `{"metadata":"x","spec":{"env":[1,null,"a"]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got, want map[string]any
			for text, into := range map[string]*map[string]any{c.in: &got, c.want: &want} {
				if err := utiljson.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			if c.in == c.want {
				got = want
			}
			strip(got)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			raw, err := stripRaw([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			var again map[string]any
			if err := utiljson.Unmarshal(raw, &again); err != nil || !reflect.DeepEqual(again, want) {
				t.Errorf("stripRaw: %s (%v), want %v", raw, err, want)
			}
		})
	}
	for _, bad := range []string{"x", `{"a":`, `[1]`} {
		if raw, err := stripRaw([]byte(bad)); err == nil || raw != nil || !strings.Contains(err.Error(), "object") {
			t.Errorf("stripRaw(%q) = %s, %v", bad, raw, err)
		}
	}
}
