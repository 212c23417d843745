package control

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// stuckAfter is how long news may wait for the loop before the scheduler calls itself unhealthy.
const stuckAfter = time.Minute

// handler serves /metrics, /healthz and /readyz, and with profiling /debug/pprof.
func handler(s *Scheduler, m *Metrics, standby func() bool, profiling bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(prometheus.Gatherers{m.Registry, clientMetrics()}, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if lag := s.Lag(); lag > stuckAfter {
			http.Error(w, fmt.Sprintf("news has been waiting for the scheduling loop for %s", lag.Round(time.Second)), http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case s.Ready():
			_, _ = fmt.Fprintln(w, "ok")
		case standby():
			_, _ = fmt.Fprintln(w, "ok: another one leads")
		default:
			http.Error(w, "the cluster has not been read yet", http.StatusServiceUnavailable)
		}
	})
	if profiling {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// soReuseport is SO_REUSEPORT, which package syscall does not name on every architecture.
const soReuseport = 0xf

// listen opens the address; shared lets another process hold the same port, as one does that has reserved it.
func listen(ctx context.Context, address string, shared bool) (net.Listener, error) {
	var c net.ListenConfig
	if shared {
		c.Control = func(_, _ string, raw syscall.RawConn) error {
			var failed error
			err := raw.Control(func(fd uintptr) {
				failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, soReuseport, 1)
			})
			return errors.Join(err, failed)
		}
	}
	l, err := c.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for metrics and health checks: %w", err)
	}
	return l, nil
}

// serve serves until ctx is done.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving metrics and health checks: %w", err)
	}
	return nil
}
