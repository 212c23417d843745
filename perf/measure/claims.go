package measure

import (
	"bytes"
	"encoding/json"

	"muster/suites/history"
)

// claimsField is where pods and pod groups name the claims that were generated for them.
const claimsField = "resourceClaimStatuses"

// claimNote is the last list of generated claims an object was seen with, and when it got it.
type claimNote struct {
	list []byte
	at   history.Stamp
}

// noteClaims takes down when an object got the claims generated for it. Telling the same list again (a relist) changes
// nothing; a list that grew is a new one.
func noteClaims(notes map[string]claimNote, e *history.Event) {
	if e.Verb != history.VerbAdded && e.Verb != history.VerbModified || e.Origin == history.Driver {
		return
	}
	raw := e.Object
	if len(raw) == 0 {
		raw = e.Patch
	}
	if !bytes.Contains(raw, []byte(claimsField)) {
		return
	}
	var o struct {
		Status struct {
			Claims json.RawMessage `json:"resourceClaimStatuses"`
		} `json:"status"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(o.Status.Claims, &list) != nil || len(list) == 0 || bytes.Equal(notes[e.UID].list, o.Status.Claims) {
		return
	}
	notes[e.UID] = claimNote{list: o.Status.Claims, at: stampOf(e)}
}
