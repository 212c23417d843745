package answer

import (
	"encoding/json"
	"net/http"

	"muster/suites"
	"muster/suites/history"
)

// Broken is an answer that breaks what the row demands: a refusal of what has to be accepted, or the acceptance of what
// has to be refused or dropped, with the object just as it was sent. ok is false for rows that demand nothing. Tests
// hold every row of a table against it, since a row that no answer can break judges nothing.
func (r Row) Broken(env suites.Env) (resp history.Response, ok bool) {
	switch r.want.kind {
	case accepted:
		return history.Response{Code: http.StatusUnprocessableEntity, Reason: "Invalid", Causes: []string{"spec: FieldValueInvalid: no"}}, true
	case refused, absent:
		resp = history.Response{Code: http.StatusOK}
		a := r.Request(env)
		if a.Object != nil {
			raw, err := json.Marshal(a.Object.Object)
			return history.Response{Code: http.StatusOK, Object: raw}, err == nil
		}
		resp.Object = a.Patch
		return resp, true
	}
	return history.Response{}, false
}
