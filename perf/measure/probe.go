package measure

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"muster/suites/history"
)

// ProbeAnnotation is on the probe object that tells how late the observer is. Its value is the time at which the
// driver sent it: nanoseconds on the recorder's monotonic clock (history.Event.Mono), in decimal.
const ProbeAnnotation = "muster.dev/probe-sent"

// probeLag is how long after it was sent a probe was received. ok is false for everything that is not a probe, or one
// whose send time cannot be read or lies in the future.
func probeLag(e *history.Event) (lag time.Duration, ok bool) {
	if e.Origin != history.Watch || e.Verb != history.VerbAdded && e.Verb != history.VerbModified {
		return 0, false
	}
	raw := e.Object
	if len(raw) == 0 {
		raw = e.Patch
	}
	if !bytes.Contains(raw, []byte(ProbeAnnotation)) {
		return 0, false // cheap for the hundred thousand events that are none
	}
	var o struct {
		Metadata struct {
			Annotations map[string]*string `json:"annotations"`
		} `json:"metadata"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return 0, false
	}
	sent := o.Metadata.Annotations[ProbeAnnotation]
	if sent == nil {
		return 0, false
	}
	ns, err := strconv.ParseInt(*sent, 10, 64)
	if err != nil || ns < 0 || ns > int64(e.Mono) {
		return 0, false
	}
	return e.Mono - time.Duration(ns), true
}
