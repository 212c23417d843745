package suites

import (
	"testing"
	"time"
)

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		44682514873:              "44.7 s",
		15 * time.Second:         "15 s",
		112616072992:             "112.6 s",
		99 * time.Millisecond:    "99 ms",
		0:                        "0 s",
		59960 * time.Millisecond: "60 s",
	} {
		if got := Seconds(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
