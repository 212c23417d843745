package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"muster/fakes/cluster/process"
)

// DeathError is a component that ended without being asked to.
type DeathError struct {
	Component string
	// How it ended ("exit status 1", "signal: killed").
	How string
	// Log is the end of its log.
	Log []string
}

func (e *DeathError) Error() string {
	if len(e.Log) == 0 {
		return fmt.Sprintf("%s ended unexpectedly (%s); its log is empty", e.Component, e.How)
	}
	return fmt.Sprintf("%s ended unexpectedly (%s); the end of its log:\n\t%s", e.Component, e.How,
		strings.Join(e.Log, "\n\t"))
}

// logLines is how much of a log goes into an error.
const logLines = 20

func (e *Embedded) death(p *process.Process) error {
	return &DeathError{Component: p.Name(), How: p.Ended(), Log: p.LogTail(logLines)}
}

// errNotYet makes poll try again.
var errNotYet = errors.New("not yet")

// poll tries until try succeeds, a component dies or ctx is done. A process that has just been started offers nothing
// to watch, so this is the one place that asks again and again: first every 5 ms, then ever more slowly up to 50 ms.
func (e *Embedded) poll(ctx context.Context, what string, try func(context.Context) error) error {
	pause := 5 * time.Millisecond
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case death := <-e.died:
			timer.Stop()
			e.died <- death // it stays to be read
			return death
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("waiting for %s: %w (last seen: %w)", what, context.Cause(ctx), err)
		}
		pause = min(pause*3/2, 50*time.Millisecond)
	}
}

// awaitSocket waits until etcd listens. Connections queue from then on, so the API server finds it at its first try and
// spares itself a second of back-off.
func (e *Embedded) awaitSocket(ctx context.Context) error {
	return e.poll(ctx, "etcd to listen", func(context.Context) error {
		_, err := os.Lstat(filepath.Join(e.dir, etcdSocket))
		return err
	})
}

// awaitAPI waits for /readyz: storage answers, the bootstrap roles and priority classes are written, informers are in
// sync.
func (e *Embedded) awaitAPI(ctx context.Context) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(e.pki.ca)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	defer client.CloseIdleConnections()
	return e.poll(ctx, "the API server to be ready", func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.server+"/readyz", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+e.users["admin"].token)
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%w: /readyz answers %s", errNotYet, resp.Status)
		}
		return nil
	})
}

// awaitControllers waits for the first thing the controllers do that pods depend on: the default service account of
// the default namespace.
func (e *Embedded) awaitControllers(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(e.RESTConfig())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	// Without a resource version a watch begins with what is there.
	w, err := client.CoreV1().ServiceAccounts(corev1.NamespaceDefault).Watch(ctx,
		metav1.ListOptions{FieldSelector: "metadata.name=default"})
	if err != nil {
		return fmt.Errorf("watching for the controllers' first work: %w", err)
	}
	defer w.Stop()
	for {
		select {
		case event, ok := <-w.ResultChan():
			if !ok {
				return errors.New("watching for the controllers' first work: the API server closed the watch")
			}
			if event.Type == watch.Added || event.Type == watch.Modified {
				return nil
			}
		case death := <-e.died:
			e.died <- death
			return death
		case <-ctx.Done():
			return fmt.Errorf("waiting for the controllers: %w", context.Cause(ctx))
		}
	}
}
