package proxy

import (
	"io"
	"net/http"
	"sync"

	"muster/fakes/faults"
)

// stream is the body of a watch on its way to the client.
type stream struct {
	p       *Proxy
	request faults.Request
	body    io.ReadCloser
	gone    <-chan struct{}
	ended   chan struct{}
	cut     func()
}

func (p *Proxy) open(r *http.Response, q faults.Request) *stream {
	s := &stream{p: p, request: q, body: r.Body, gone: r.Request.Context().Done(), ended: make(chan struct{})}
	// Closing the body wakes a read that waits for the API server.
	s.cut = sync.OnceFunc(func() { close(s.ended); _ = s.body.Close() })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams[s] = true
	return s
}

// Read gives what the API server has said, once nothing holds it back. A watch that is cut ends like one that the API
// server has closed.
func (s *stream) Read(into []byte) (int, error) {
	n, err := s.body.Read(into)
	for {
		select {
		case <-s.ended:
			return 0, io.EOF
		default:
		}
		held := s.p.Held(s.request)
		if held == nil {
			return n, err
		}
		select {
		case <-held.Mended:
		case <-s.ended:
		case <-s.gone:
			return 0, io.EOF
		case <-s.p.ended:
			return 0, io.EOF
		}
	}
}

// Close ends the watch.
func (s *stream) Close() error {
	s.p.mu.Lock()
	delete(s.p.streams, s)
	s.p.mu.Unlock()
	s.cut()
	return nil
}
