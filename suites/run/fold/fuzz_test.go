package fold

import (
	"os"
	"testing"
)

// FuzzParseKnown: no text makes the reader of known findings panic, and every entry it accepts names what it excuses.
func FuzzParseKnown(f *testing.F) {
	data, err := os.ReadFile("known-findings.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("- requirement: X\n- &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		known, err := ParseKnown(data)
		if err != nil {
			return
		}
		for _, k := range known {
			if k.Requirement == "" || k.Scheduler == "" {
				t.Fatalf("accepted: %+v", k)
			}
		}
	})
}
