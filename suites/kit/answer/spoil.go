package answer

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites/history"
)

// Exchange is a request of a row with its answer, as they went over the wire.
type Exchange struct {
	// Sent is the body of the request; Stored the object before it, nil where it is not known.
	Sent   []byte
	Stored Object
	// Code and Body of the answer.
	Code int
	Body []byte
}

// Crucial are the rows of a requirement that say most about it, which all demand the same: a refusal if there is one, else
// that something is dropped, else that something is shown, else an acceptance. None where nothing is demanded.
func Crucial(rows []Row, id string) []Row {
	rank := func(w want) int {
		switch {
		case w.kind == refused:
			return 4
		case w.kind == absent:
			return 3
		case w.kind == accepted && w.shows != nil:
			return 2
		case w.kind == accepted:
			return 1
		}
		return 0
	}
	best := 1
	var out []Row
	for _, r := range rows {
		n := rank(r.want)
		if r.ID != id || n < best {
			continue
		}
		if n > best {
			best, out = n, nil
		}
		out = append(out, r)
	}
	return out
}

// Demand says in words what the row demands.
func (r Row) Demand() string {
	switch {
	case r.want.kind == refused:
		return "has to be refused"
	case r.want.kind == absent:
		return "must not keep " + r.want.what
	case r.want.kind == accepted && r.want.shows != nil:
		return "has to show " + r.want.what
	case r.want.kind == accepted:
		return "has to be accepted"
	}
	return "is looked at"
}

// Spoiled is the answer changed by as little as makes it one that the row cannot take. What has to be refused is accepted
// with the object as it was sent, what must be dropped is kept, of what has to be shown one field is wrong or missing, and
// what has to be accepted is refused. An answer that the row does not take anyhow is left alone.
func (r Row) Spoiled(e Exchange) (Exchange, error) {
	if !r.takes(e) {
		return e, nil
	}
	out := e
	switch w := r.want; {
	case w.kind == refused, w.kind == absent:
		out = accepting(e)
	case w.kind == accepted && w.shows != nil:
		o, ok := w.lose(Decode(e.Body), Decode(e.Sent))
		if !ok {
			return e, fmt.Errorf("%q shows %s whatever is changed in it", r.Label(), w.what)
		}
		out.Body = encode(o)
	case w.kind == accepted:
		out.Code, out.Body = http.StatusUnprocessableEntity, encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Message: "fault: refused",
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec", Message: "fault"}}},
		})
	default:
		return e, fmt.Errorf("%q demands nothing that could be spoiled", r.Label())
	}
	if r.takes(out) {
		return e, fmt.Errorf("%q takes the answer %s as well", r.Label(), out.Body)
	}
	return out, nil
}

// takes reports whether the answer is as the row demands.
func (r Row) takes(e Exchange) bool {
	resp := history.Response{Code: e.Code, Object: e.Body}
	if !resp.OK() {
		resp.Object = nil
		s := metav1.Status{}
		if json.Unmarshal(e.Body, &s) != nil {
			// No resource of that name is served, and plain text says so. Clients make of it what the code says.
			resp.Reason = string(apierrors.NewGenericServerResponse(e.Code, "", schema.GroupResource{}, "", "", 0, true).ErrStatus.Reason)
		} else {
			resp.Reason, resp.Object = string(s.Reason), nil
			if s.Details != nil {
				for _, c := range s.Details.Causes {
					resp.Causes = append(resp.Causes, c.Field+": ")
				}
			}
		}
	}
	problem, decided := r.want.problem(resp, Decode(resp.Object))
	return decided && problem == ""
}

// accepting is the answer of an API server that does as it is told.
func accepting(e Exchange) Exchange {
	sent := Decode(e.Sent)
	o := history.Apply(e.Stored, sent)
	if e.Code < http.StatusMultipleChoices {
		o = history.Apply(Decode(e.Body), sent)
	}
	meta, _ := o["metadata"].(Object)
	meta = history.Apply(Object{"resourceVersion": "1", "generation": 1, "creationTimestamp": "2026-03-01T12:00:00Z"}, meta)
	if meta["uid"] == nil {
		sum := sha256.Sum256(e.Sent)
		meta["uid"] = fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	}
	e.Body = encode(history.Apply(o, Object{"metadata": meta}))
	if e.Code >= http.StatusMultipleChoices {
		e.Code = http.StatusOK
	}
	return e
}

// encode is the JSON of what came from JSON.
func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("answer: encoding what was decoded: %v", err))
	}
	return raw
}
