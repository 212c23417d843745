package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"muster/fakes/faults"
)

// upstream is an API server that knows one pod, keeps what it was asked, and watches for as long as nobody ends it.
type upstream struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string
	tokens map[string]bool
	events chan string
}

func newUpstream(t *testing.T) *upstream {
	u := &upstream{tokens: map[string]bool{}, events: make(chan string)}
	u.Server = httptest.NewUnstartedServer(http.HandlerFunc(u.serve))
	u.EnableHTTP2 = true
	u.StartTLS()
	t.Cleanup(u.Server.Close)
	t.Cleanup(u.CloseClientConnections)
	return u
}

func (u *upstream) serve(w http.ResponseWriter, r *http.Request) {
	q := read(r)
	u.mu.Lock()
	u.asked = append(u.asked, q.Kind())
	u.tokens[r.Header.Get("Authorization")] = true
	u.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if !q.Streams() {
		_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a"}}`)
		return
	}
	w.(http.Flusher).Flush()
	for {
		select {
		case name := <-u.events:
			_, _ = fmt.Fprintf(w, `{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"uid":%q}}}`+"\n", name, name)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (u *upstream) saw(kind string) (n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, a := range u.asked {
		if a == kind {
			n++
		}
	}
	return n
}

type stage struct {
	*Proxy
	up     *upstream
	client kubernetes.Interface
	mu     sync.Mutex
	told   []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{up: newUpstream(t)}
	dir := t.TempDir()
	c := clientcmdapi.NewConfig()
	c.Clusters["x"] = &clientcmdapi.Cluster{Server: s.up.URL, InsecureSkipTLSVerify: true}
	c.AuthInfos["x"] = &clientcmdapi.AuthInfo{Token: "the-schedulers"}
	c.Contexts["x"] = &clientcmdapi.Context{Cluster: "x", AuthInfo: "x"}
	c.CurrentContext = "x"
	file := filepath.Join(dir, "scheduler.kubeconfig")
	if err := clientcmd.WriteToFile(*c, file); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.Proxy, err = Start(Options{Kubeconfig: file, Dir: dir, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	s.Tell(func(rule string, k int, q faults.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told = append(s.told, fmt.Sprintf("%s %d %s", rule, k, q.Kind()))
	})
	t.Cleanup(s.Close)
	config, err := clientcmd.BuildConfigFromFlags("", s.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	if s.client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) get(t *testing.T) error {
	t.Helper()
	_, err := s.client.CoreV1().Pods("a").Get(t.Context(), "p", metav1.GetOptions{})
	return err
}

// put is a request that client-go does not try again by itself.
func (s *stage) put(t *testing.T) error {
	t.Helper()
	return s.client.CoreV1().Pods("a").Delete(t.Context(), "p", metav1.DeleteOptions{})
}

func (s *stage) watch(t *testing.T) watch.Interface {
	t.Helper()
	w, err := s.client.CoreV1().Pods("a").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w
}

func TestPassesOnWithTheClientsCredential(t *testing.T) {
	s := newStage(t)
	if err := s.get(t); err != nil {
		t.Fatal(err)
	}
	if !s.up.tokens["Bearer the-schedulers"] || len(s.up.tokens) != 1 {
		t.Errorf("the API server saw %v", s.up.tokens)
	}
	if n := s.Calls()["get pods"]; n != 1 {
		t.Errorf("%d calls counted", n)
	}
	if info, err := os.Stat(s.Kubeconfig()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kubeconfig: %v %v", info.Mode(), err)
	}
	r := httptest.NewRecorder()
	s.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/api/v1/pods", http.NoBody))
	if r.Code != http.StatusUnauthorized || s.up.saw("list pods") != 0 {
		t.Errorf("a stranger was answered %d", r.Code)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault faults.Fault
		bad   func(error) bool
		asked int // by two deletions, of which the first is struck
	}{
		{"conflict", faults.Fault{Status: 409}, apierrors.IsConflict, 1},
		{"server error", faults.Fault{Status: 500}, apierrors.IsInternalError, 1},
		{"gone", faults.Fault{Status: 410}, apierrors.IsResourceExpired, 1},
		{"dropped", faults.Fault{Drop: true}, noAnswer, 1},
		{"lost", faults.Fault{Lose: true}, noAnswer, 2},
		{"delayed", faults.Fault{Delay: time.Millisecond}, func(err error) bool { return err == nil }, 2},
		{"rewritten", faults.Fault{Rewrite: func([]byte) ([]byte, error) { return nil, io.ErrNoProgress }}, noAnswer, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStage(t)
			if err := s.Add(faults.Rule{Name: "f", Verb: "delete", Times: 1, Fault: tt.fault}); err != nil {
				t.Fatal(err)
			}
			if err := s.put(t); !tt.bad(err) {
				t.Errorf("answered: %v", err)
			}
			if err := s.put(t); err != nil {
				t.Errorf("the second: %v", err)
			}
			if n := s.up.saw("delete pods"); n != tt.asked {
				t.Errorf("the API server was asked %d times, want %d", n, tt.asked)
			}
			if len(s.told) != 1 || s.told[0] != "f 1 delete pods" {
				t.Errorf("told of %v", s.told)
			}
		})
	}
}

func noAnswer(err error) bool {
	_, answered := err.(apierrors.APIStatus)
	return err != nil && !answered
}

func TestTooManyRequestsAreTriedAgain(t *testing.T) {
	s := newStage(t)
	if err := s.Add(faults.Rule{Name: "f", Verb: "get", Times: 1, Fault: faults.Fault{Status: 429}}); err != nil {
		t.Fatal(err)
	}
	if err := s.get(t); err != nil || s.Calls()["get pods"] != 2 {
		t.Errorf("%v after %v: client-go honours Retry-After", err, s.Calls())
	}
}

func TestRewritesAnswers(t *testing.T) {
	s := newStage(t)
	rename := func(body []byte) ([]byte, error) {
		var pod map[string]any
		if err := json.Unmarshal(body, &pod); err != nil {
			return nil, err
		}
		pod["metadata"].(map[string]any)["name"] = "another"
		return json.Marshal(pod)
	}
	if err := s.Add(faults.Rule{Name: "f", Fault: faults.Fault{Rewrite: rename}}); err != nil {
		t.Fatal(err)
	}
	pod, err := s.client.CoreV1().Pods("a").Get(t.Context(), "p", metav1.GetOptions{})
	if err != nil || pod.Name != "another" {
		t.Errorf("%q, %v", pod.Name, err)
	}
}

func TestHangsUntilMended(t *testing.T) {
	s := newStage(t)
	if err := s.Add(faults.Rule{Name: "f", Fault: faults.Fault{Hang: true}}); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() { answered <- s.put(t) }()
	for s.Calls()["delete pods"] == 0 {
		select {
		case err := <-answered:
			t.Fatalf("answered: %v", err)
		default:
		}
	}
	if err := s.Mend("f"); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; !noAnswer(err) || s.up.saw("delete pods") != 0 {
		t.Errorf("%v; the API server saw %v", err, s.up.asked)
	}
}

func TestWatchesAreHeldAndCut(t *testing.T) {
	s := newStage(t)
	w := s.watch(t)
	s.up.events <- "one"
	if e := <-w.ResultChan(); e.Type != watch.Added {
		t.Fatalf("got %v", e)
	}
	if err := s.Add(faults.Rule{Name: "stale", Resource: "pods", Fault: faults.Fault{Hold: true}}); err != nil {
		t.Fatal(err)
	}
	s.up.events <- "two"
	s.up.events <- "three"
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	select {
	case e := <-w.ResultChan():
		t.Errorf("told of %v while held back", e)
	case <-ctx.Done():
	}
	if err := s.Mend("stale"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if e := <-w.ResultChan(); e.Type != watch.Added {
			t.Errorf("got %v", e)
		}
	}
	if n := s.Cut("nodes") + s.Cut("pods"); n != 1 {
		t.Errorf("%d watches were cut", n)
	}
	if _, open := <-w.ResultChan(); open {
		t.Error("the watch goes on")
	}
}

func TestGoesAwayAndComesBack(t *testing.T) {
	s := newStage(t)
	w := s.watch(t)
	if err := s.Away(); err != nil {
		t.Fatal(err)
	}
	for range w.ResultChan() {
		continue // an error event may come first
	}
	if err := s.put(t); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("while away: %v", err)
	}
	if err := s.Away(); err == nil {
		t.Error("went away twice")
	}
	if err := s.Back(); err != nil {
		t.Fatal(err)
	}
	if err := s.put(t); err != nil {
		t.Error(err)
	}
	if err := s.Back(); err == nil {
		t.Error("came back twice")
	}
}
