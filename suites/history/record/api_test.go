package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"muster/fakes/nodes"
)

// api is an API server of pods, nodes and gangs.example.com that can be told to misbehave. It speaks JSON, with the
// same watches, lists and answers a real one gives.
type api struct {
	t      testing.TB
	server *httptest.Server

	mu      sync.Mutex
	rv      int
	oldest  int // watches from before it are expired
	objects map[string]map[string]object
	log     []logged
	changed chan struct{}
	cut     chan struct{} // closed: every watch ends
	held    bool          // no watch delivers anything
}

type object map[string]any

// logged is an event as watches deliver it.
type logged struct {
	rv       int
	resource string
	kind     string
	body     object
}

var kinds = map[string]string{"pods": "Pod", "nodes": "Node", "gangs": "Gang"}

func newAPI(t testing.TB) *api {
	a := &api{t: t, rv: 10, objects: map[string]map[string]object{"pods": {}, "nodes": {}, "gangs": {}},
		changed: make(chan struct{}), cut: make(chan struct{})}
	a.server = httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(func() {
		a.breakWatches()
		a.server.CloseClientConnections()
		a.server.Close()
	})
	return a
}

func (a *api) config() *rest.Config { return &rest.Config{Host: a.server.URL, QPS: -1} }

// put creates or changes an object; delete ends it. They return the resource version.
func (a *api) put(resource, ns, name string, fields object) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rv++
	key := ns + "/" + name
	old, kind := a.objects[resource][key], "MODIFIED"
	o := object{}
	maps.Copy(o, old)
	if old == nil {
		kind = "ADDED"
		o["metadata"] = object{"name": name, "namespace": ns, "uid": fmt.Sprintf("%s-%s-%d", resource, name, a.rv)}
	}
	maps.Copy(o, fields)
	meta := object{}
	maps.Copy(meta, o["metadata"].(object))
	meta["resourceVersion"] = strconv.Itoa(a.rv)
	o["metadata"] = meta
	o["kind"], o["apiVersion"] = kinds[resource], versionOf(resource)
	a.objects[resource][key] = o
	a.append(logged{a.rv, resource, kind, o})
	return strconv.Itoa(a.rv)
}

func (a *api) delete(resource, ns, name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rv++
	o := object{}
	maps.Copy(o, a.objects[resource][ns+"/"+name])
	delete(a.objects[resource], ns+"/"+name)
	meta := object{}
	maps.Copy(meta, o["metadata"].(object))
	meta["resourceVersion"] = strconv.Itoa(a.rv)
	o["metadata"] = meta
	a.append(logged{a.rv, resource, "DELETED", o})
	return strconv.Itoa(a.rv)
}

// tell delivers an event that changes nothing: a bookmark, or an error.
func (a *api) tell(resource, kind string, body object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rv++
	a.append(logged{a.rv, resource, kind, body})
}

// append is called with the lock held.
func (a *api) append(l logged) {
	a.log = append(a.log, l)
	close(a.changed)
	a.changed = make(chan struct{})
}

// lose makes the last event one that no watch delivers any more. Hold the watches before.
func (a *api) lose() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.log = a.log[:len(a.log)-1]
}

// hold stops the watches from delivering; letting go delivers what was held back.
func (a *api) hold(held bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held = held
	close(a.changed)
	a.changed = make(chan struct{})
}

// breakWatches ends every connection that watches.
func (a *api) breakWatches() {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.cut)
	a.cut = make(chan struct{})
}

// expire forgets what happened so far: watches from before are answered 410.
func (a *api) expire() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.oldest, a.log = a.rv, nil
}

func versionOf(resource string) string {
	if resource == "gangs" {
		return "example.com/v1"
	}
	return "v1"
}

func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	path := strings.Trim(r.URL.Path, "/")
	switch path {
	case "api/v1":
		a.answer(w, 200, object{"kind": "APIResourceList", "groupVersion": "v1", "resources": []object{
			{"name": "pods", "kind": "Pod", "namespaced": true}, {"name": "nodes", "kind": "Node"}}})
		return
	case "apis/example.com/v1":
		a.answer(w, 200, object{"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": []object{
			{"name": "gangs", "kind": "Gang", "namespaced": true}}})
		return
	}
	parts := strings.Split(path, "/")
	resource := parts[len(parts)-1]
	if kinds[resource] == "" {
		a.answer(w, 404, object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404})
		return
	}
	ns := ""
	if i := slices.Index(parts, "namespaces"); i >= 0 {
		ns = parts[i+1]
	}
	if r.URL.Query().Get("watch") != "" {
		a.watch(w, r, resource)
		return
	}
	a.list(w, r, resource, ns)
}

func (a *api) answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		a.t.Logf("answering: %v", err)
	}
}

func (a *api) list(w http.ResponseWriter, r *http.Request, resource, ns string) {
	a.mu.Lock()
	items := []object{}
	pool := r.URL.Query().Get("labelSelector")
	for _, key := range slices.Sorted(maps.Keys(a.objects[resource])) {
		o := a.objects[resource][key]
		meta := o["metadata"].(object)
		labels, _ := meta["labels"].(object)
		if ns != "" && meta["namespace"] != ns || pool != "" && pool != fmt.Sprintf("%s in (%v)", nodes.PoolLabel, labels[nodes.PoolLabel]) {
			continue
		}
		items = append(items, o)
	}
	rv := strconv.Itoa(a.rv)
	a.mu.Unlock()
	kind, version := kinds[resource]+"List", versionOf(resource)
	if strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList") {
		kind, version = "PartialObjectMetadataList", "meta.k8s.io/v1"
	}
	a.answer(w, 200, object{"kind": kind, "apiVersion": version, "metadata": object{"resourceVersion": rv}, "items": items})
}

func (a *api) watch(w http.ResponseWriter, r *http.Request, resource string) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	a.mu.Lock()
	old, cut := from < a.oldest, a.cut
	a.mu.Unlock()
	if old {
		a.answer(w, 410, object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Expired", "code": 410, "message": "too old resource version"})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	enc := json.NewEncoder(w)
	for {
		a.mu.Lock()
		var send []logged
		next, _ := slices.BinarySearchFunc(a.log, from+1, func(l logged, rv int) int { return l.rv - rv })
		for _, l := range a.log[next:] {
			if l.resource == resource && !a.held {
				send = append(send, l)
			}
		}
		if !a.held {
			from = a.rv
		}
		changed := a.changed
		a.mu.Unlock()
		for _, l := range send {
			if enc.Encode(object{"type": l.kind, "object": l.body}) != nil {
				return
			}
			w.(http.Flusher).Flush()
			if l.kind == "ERROR" {
				return
			}
		}
		if len(send) > 0 {
			continue
		}
		select {
		case <-changed:
		case <-cut:
			return
		case <-r.Context().Done():
			return
		}
	}
}
