package proxy

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/faults"
)

// taken is a request with what was decided about it.
type taken struct {
	faults.Request
	fault  faults.Fault
	lenses []*faults.Lens
}

// json reports whether the answer has to be JSON for what will be done to it.
func (t taken) json() bool {
	return t.fault.Rewrite != nil || (t.fault.Answer != nil || t.fault.Also != nil) && !t.Streams() || len(t.lenses) > 0
}

type takenKey struct{}

// ServeHTTP passes a request on, or does with it what the rules say.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+p.token)) != 1 {
		refuse(w, http.StatusUnauthorized, "this proxy serves the one client it was started for")
		return
	}
	t := taken{Request: read(r)}
	if p.NeedsBody() && r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
		t.Body = body
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	page, k := p.Take(t.Request)
	if page != nil {
		t.fault = page.Rule.Fault
		p.told(page.Rule.Name, k, t.Request)
		if p.strike(w, r, page) {
			return
		}
	}
	t.lenses = p.Lenses(t.Request)
	p.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), takenKey{}, t)))
}

// strike carries out what happens before the API server sees a request, and reports whether it never will.
func (p *Proxy) strike(w http.ResponseWriter, r *http.Request, page *faults.Page) bool {
	f := page.Rule.Fault
	if f.Delay > 0 {
		timer := time.NewTimer(f.Delay)
		defer timer.Stop()
		p.wait(r.Context(), timer.C)
	}
	switch {
	case f.Status != 0:
		refuse(w, f.Status, "fault "+page.Rule.Name)
		return true
	case f.Hang:
		p.wait(r.Context(), page.Mended)
		panic(http.ErrAbortHandler)
	case f.Drop:
		panic(http.ErrAbortHandler)
	}
	return p.gone(r.Context())
}

// wait until c says so, or nobody waits for the answer any more.
func (p *Proxy) wait(ctx context.Context, c any) {
	switch c := c.(type) {
	case <-chan time.Time:
		select {
		case <-c:
		case <-ctx.Done():
		case <-p.ended:
		}
	case chan struct{}:
		select {
		case <-c:
		case <-ctx.Done():
		case <-p.ended:
		}
	}
}

// rewrite directs a request to the API server. The client's token is the proxy's; what goes on carries the credential
// of the transport.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(p.upstream)
	r.Out.Header.Del("Authorization")
	if t, ok := r.In.Context().Value(takenKey{}).(taken); ok && t.json() {
		r.Out.Header.Set("Accept", inJSON(r.In.Header.Get("Accept")))
		r.Out.Header.Del("Accept-Encoding")
	}
}

// inJSON is what a client accepts, as far as it is JSON: a list of nothing but metadata stays one.
func inJSON(accept string) string {
	var out []string
	for _, form := range strings.Split(accept, ",") {
		if form = strings.TrimSpace(form); strings.HasPrefix(form, "application/json") {
			out = append(out, form)
		}
	}
	if len(out) == 0 {
		return "application/json"
	}
	return strings.Join(out, ",")
}

// answer is what happens to the answer of the API server.
func (p *Proxy) answer(r *http.Response) error {
	t, _ := r.Request.Context().Value(takenKey{}).(taken)
	switch {
	case t.fault.Lose:
		// Only when the API server has said all it has to say has it done all it was asked for.
		_, _ = io.Copy(io.Discard, r.Body)
		return fmt.Errorf("the answer is lost")
	case t.fault.Rewrite != nil && !t.Streams():
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		_ = r.Body.Close()
		if body, err = t.fault.Rewrite(body); err != nil {
			return fmt.Errorf("rewriting an answer: %w", err)
		}
		replace(r, r.StatusCode, body)
	case t.Streams() && r.StatusCode == http.StatusOK:
		r.Body = p.open(r, t.Request)
		if len(t.lenses) > 0 {
			r.Body = p.show(r.Body, t.Request, t.lenses)
		}
	case !t.Streams() && (t.fault.Answer != nil || t.fault.Also != nil || len(t.lenses) > 0):
		return p.change(r, t)
	}
	return nil
}

// change carries out what changes an answer as a whole.
func (p *Proxy) change(r *http.Response, t taken) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	_ = r.Body.Close()
	a := faults.Answer{Code: r.StatusCode, Body: body}
	if t.fault.Also != nil {
		for _, c := range t.fault.Also(t.Request, a) {
			if err := p.call(r.Request.Context(), c); err != nil {
				return err
			}
		}
	}
	if len(t.lenses) > 0 {
		if a.Code, a.Body, err = p.sight.answer(t.Request, t.lenses, a.Code, a.Body); err != nil {
			return err
		}
	}
	if t.fault.Answer != nil {
		if a, err = t.fault.Answer(t.Request, a); err != nil {
			return fmt.Errorf("changing an answer: %w", err)
		}
	}
	replace(r, a.Code, a.Body)
	return nil
}

// replace puts another code and body into an answer.
func replace(r *http.Response, code int, body []byte) {
	r.StatusCode, r.Status = code, http.StatusText(code)
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	r.Header.Set("Content-Type", "application/json")
}

// reasons of answers as the API server gives them.
var reasons = map[int]metav1.StatusReason{
	http.StatusUnauthorized: metav1.StatusReasonUnauthorized, http.StatusForbidden: metav1.StatusReasonForbidden,
	http.StatusNotFound: metav1.StatusReasonNotFound, http.StatusConflict: metav1.StatusReasonConflict,
	http.StatusGone: metav1.StatusReasonExpired, http.StatusUnprocessableEntity: metav1.StatusReasonInvalid,
	http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests, http.StatusInternalServerError: metav1.StatusReasonInternalError,
	http.StatusServiceUnavailable: metav1.StatusReasonServiceUnavailable, http.StatusGatewayTimeout: metav1.StatusReasonTimeout,
}

// refuse answers with a Status. Too many requests come with the second after which to try again, as the API server has it.
func refuse(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(code)
	_, _ = w.Write(status(code, message))
}

// status is the body of a refusal.
func status(code int, message string) []byte {
	body, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reasons[code], Message: message,
	})
	if err != nil {
		panic(err) // a struct of strings
	}
	return body
}
