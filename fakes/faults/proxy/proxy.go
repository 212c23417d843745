package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"muster/fakes/faults"
)

// Options of a proxy. Kubeconfig and Dir are required.
type Options struct {
	// Kubeconfig of the client that the proxy stands in for.
	Kubeconfig string
	// Dir receives the kubeconfig to give to the client (0600).
	Dir string
	// Seed decides rules that have a chance.
	Seed int64
}

// Proxy is one that listens. Its methods may be called from any goroutine.
type Proxy struct {
	faults.Book

	upstream *url.URL
	token    string
	file     string
	forward  *httputil.ReverseProxy
	ended    chan struct{}
	end      func()
	sight    *sight

	config  *tls.Config
	address string
	mu      sync.Mutex
	server  *http.Server // nil: away
	streams map[*stream]bool
	tell    func(rule string, k int, q faults.Request)
}

// Start listens. The proxy lives until Close.
func Start(o Options) (*Proxy, error) {
	config, err := clientcmd.BuildConfigFromFlags("", o.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig of the client to stand in for: %w", err)
	}
	config.DisableCompression = true // what the client asks for is passed on
	p := &Proxy{streams: map[*stream]bool{}, ended: make(chan struct{}), token: newToken(), sight: newSight()}
	p.Seed, p.end = o.Seed, sync.OnceFunc(func() { close(p.ended) })
	if p.upstream, _, err = rest.DefaultServerUrlFor(config); err != nil {
		return nil, fmt.Errorf("reading the kubeconfig of the client to stand in for: %w", err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", p.upstream, err)
	}
	p.forward = &httputil.ReverseProxy{
		Rewrite: p.rewrite, Transport: transport, FlushInterval: -1, ModifyResponse: p.answer,
		ErrorLog: log.New(io.Discard, "", 0),
		// A client has to see a lost connection where there is one, not an answer nobody gave.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	certificate, ca, err := newCertificate(time.Now())
	if err != nil {
		return nil, err
	}
	p.config = &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}
	p.address = "127.0.0.1:0"
	if err := p.Back(); err != nil {
		return nil, err
	}
	if p.file, err = writeKubeconfig(o.Dir, "https://"+p.address, ca, p.token); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Tell has f told of every strike from now on, before it takes effect: the rule, its how many-th strike, and the request
// without its body. f may be called from several goroutines; nil tells nobody.
func (p *Proxy) Tell(f func(rule string, k int, q faults.Request)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tell = f
}

func (p *Proxy) told(rule string, k int, q faults.Request) {
	p.mu.Lock()
	tell := p.tell
	p.mu.Unlock()
	if tell != nil {
		q.Body = nil
		tell(rule, k, q)
	}
}

// Kubeconfig is the path of the one to give to the client.
func (p *Proxy) Kubeconfig() string { return p.file }

// Back listens again after Away, on the same port.
func (p *Proxy) Back() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		return errors.New("listening again: the proxy was not away")
	}
	l, err := net.Listen("tcp", p.address)
	if err != nil {
		return fmt.Errorf("listening for the client: %w", err)
	}
	p.address = l.Addr().String()
	p.server = &http.Server{Handler: p, TLSConfig: p.config, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute}
	go func(s *http.Server) { _ = s.ServeTLS(l, "", "") }(p.server)
	return nil
}

// Away ends every connection and takes no new one until Back.
func (p *Proxy) Away() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return errors.New("going away: the proxy is away already")
	}
	err := p.server.Close()
	p.server = nil
	if err != nil {
		return fmt.Errorf("going away: %w", err)
	}
	return nil
}

// Cut ends the open watches of the resource (a pattern of path.Match; empty: all) and says how many there were. Clients
// may open them again.
func (p *Proxy) Cut(resource string) int {
	rule := faults.Rule{Resource: resource}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for s := range p.streams {
		if rule.Picks(s.request) {
			s.cut()
			n++
		}
	}
	return n
}

// Close ends every connection. Calling it again does nothing.
func (p *Proxy) Close() {
	p.end()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		_ = p.server.Close()
		p.server = nil
	}
}

// gone reports whether nobody waits for an answer any more: the client has left, or the proxy is closed.
func (p *Proxy) gone(ctx context.Context) bool {
	select {
	case <-ctx.Done():
	case <-p.ended:
	default:
		return false
	}
	return true
}
