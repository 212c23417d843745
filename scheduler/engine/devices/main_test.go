package devices

import (
	"cmp"
	"flag"
	"os"
	"testing"
)

// TestMain sets how many cases every property is tried with: 200, or what MUSTER_CASES says (10,000 in a soak).
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.checks", cmp.Or(os.Getenv("MUSTER_CASES"), "200")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
