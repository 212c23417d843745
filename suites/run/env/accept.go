package env

import (
	"context"
	"net/http"

	"k8s.io/client-go/rest"
)

// acceptKey is the key under which a context holds the media type that a request asks for.
type acceptKey struct{}

// accepting is a context in which a client made from an Accepting configuration asks for the media type; empty: for its own.
func accepting(ctx context.Context, mediaType string) context.Context {
	if mediaType == "" {
		return ctx
	}
	return context.WithValue(ctx, acceptKey{}, mediaType)
}

// Accepting is the configuration of a client whose requests ask for the media type that Attempt.Accept names: a dynamic
// client asks for JSON and has no option for anything else, such as the table an API server prints.
func Accepting(c *rest.Config) *rest.Config {
	c = rest.CopyConfig(c)
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return acceptor{next} })
	return c
}

type acceptor struct{ next http.RoundTripper }

func (a acceptor) RoundTrip(q *http.Request) (*http.Response, error) {
	if mediaType, ok := q.Context().Value(acceptKey{}).(string); ok {
		q = q.Clone(q.Context())
		q.Header.Set("Accept", mediaType)
	}
	return a.next.RoundTrip(q)
}
