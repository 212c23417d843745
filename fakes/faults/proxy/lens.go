package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"muster/fakes/faults"
)

// sight is what the client has been shown through lenses: which objects, and of those that are kept the last form.
type sight struct {
	mu sync.Mutex
	// shown are the uids of objects the client has seen; kept those that live on for it, by resource and uid.
	shown map[string]bool
	kept  map[string]map[string]map[string]any
}

func newSight() *sight {
	return &sight{shown: map[string]bool{}, kept: map[string]map[string]map[string]any{}}
}

// through is an object as lenses show it; nil: not at all.
func through(lenses []*faults.Lens, o map[string]any) map[string]any {
	for _, l := range lenses {
		if l.Show == nil {
			continue
		}
		if o = l.Show(o); o == nil {
			return nil
		}
	}
	return o
}

// keeps reports whether a lens keeps the object.
func keeps(lenses []*faults.Lens, o map[string]any) bool {
	return slices.ContainsFunc(lenses, func(l *faults.Lens) bool { return l.Keep != nil && l.Keep(o) })
}

// answer shows an answer of the API server that is no watch. Refusals are not changed.
func (s *sight) answer(q faults.Request, lenses []*faults.Lens, code int, body []byte) (int, []byte, error) {
	var o map[string]any
	if code >= http.StatusMultipleChoices || json.Unmarshal(body, &o) != nil || o["kind"] == "Status" {
		return code, body, nil
	}
	if listed, ok := o["items"]; ok { // null where nothing is listed
		items, _ := listed.([]any)
		o["items"] = s.list(q, lenses, items, o["kind"] == "PartialObjectMetadataList")
	} else {
		if o = through(lenses, o); o == nil {
			return http.StatusNotFound, status(http.StatusNotFound, "fault: the object is not shown"), nil
		}
		s.see(q, lenses, o)
	}
	out, err := json.Marshal(o)
	if err != nil {
		return 0, nil, fmt.Errorf("encoding what is shown: %w", err)
	}
	return code, out, nil
}

// list shows the objects of a list, and those that are kept although they are in it no more. partial: whoever asked for
// it gets nothing but identities.
func (s *sight) list(q faults.Request, lenses []*faults.Lens, items []any, partial bool) []any {
	out, listed := []any{}, map[string]bool{}
	for _, item := range items {
		o, ok := item.(map[string]any)
		if !ok {
			continue
		}
		uid := meta(o, "uid")
		if o = through(lenses, o); o == nil {
			s.hide(q, uid)
			continue
		}
		listed[meta(o, "uid")] = true
		s.see(q, lenses, o)
		out = append(out, o)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.kept[q.Resource]
	for _, uid := range slices.Sorted(maps.Keys(kept)) {
		o := kept[uid]
		if listed[uid] || q.Namespace != "" && q.Namespace != meta(o, "namespace") {
			continue
		}
		if partial {
			o = map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": o["metadata"]}
		}
		out = append(out, o)
	}
	return out
}

// hide notes that an object is out of sight, so that it is not kept when it goes.
func (s *sight) hide(q faults.Request, uid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept[q.Resource], uid)
}

// see notes that the client has been shown an object.
func (s *sight) see(q faults.Request, lenses []*faults.Lens, o map[string]any) {
	resource, _, _ := strings.Cut(q.Resource, "/")
	uid := meta(o, "uid")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown[uid] = true
	if !keeps(lenses, o) {
		return
	}
	if s.kept[resource] == nil {
		s.kept[resource] = map[string]map[string]any{}
	}
	s.kept[resource][uid] = o
}

// event shows an event of a watch; nil: the client does not hear of it. unseen are the uids of objects that this watch has
// told of as gone.
func (s *sight) event(q faults.Request, lenses []*faults.Lens, unseen map[string]bool, line []byte) ([]byte, error) {
	var e struct {
		Type   string         `json:"type"`
		Object map[string]any `json:"object"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return nil, fmt.Errorf("decoding an event of a watch: %w", err)
	}
	if e.Type == "BOOKMARK" || e.Type == "ERROR" {
		return append(bytes.TrimSpace(line), '\n'), nil
	}
	uid := meta(e.Object, "uid")
	whole := maps.Clone(e.Object)
	o := through(lenses, e.Object)
	s.mu.Lock()
	known := s.shown[uid]
	s.mu.Unlock()
	if o == nil {
		s.hide(q, uid)
	}
	switch {
	case o == nil && (!known || unseen[uid]):
		return nil, nil
	case o == nil:
		e.Type, o = "DELETED", whole
		unseen[uid] = true
	case e.Type == "DELETED" && keeps(lenses, o):
		return nil, nil
	case e.Type == "MODIFIED" && (!known || unseen[uid]):
		e.Type = "ADDED"
	}
	if e.Type != "DELETED" {
		delete(unseen, uid)
		s.see(q, lenses, o)
	}
	e.Object = o
	out, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encoding what is shown: %w", err)
	}
	return append(out, '\n'), nil
}

// meta is a string of an object's metadata; empty where there is none.
func meta(o map[string]any, field string) string {
	m, _ := o["metadata"].(map[string]any)
	v, _ := m[field].(string)
	return v
}
