package proxy

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"muster/fakes/faults"
)

// call makes a request that the client did not ask for, with the credential that its own requests go on with.
func (p *Proxy) call(ctx context.Context, c faults.Call) error {
	r, err := http.NewRequestWithContext(ctx, c.Method, p.upstream.JoinPath(c.Path).String(), bytes.NewReader(c.Body))
	if err != nil {
		return fmt.Errorf("asking for %s %s besides: %w", c.Method, c.Path, err)
	}
	r.Header.Set("Accept", "application/json")
	if len(c.Body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.Method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := p.forward.Transport.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("asking for %s %s besides: %w", c.Method, c.Path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	said, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("the API server answered %d: %s", resp.StatusCode, said)
	}
	if err != nil {
		return fmt.Errorf("asking for %s %s besides: %w", c.Method, c.Path, err)
	}
	return nil
}
