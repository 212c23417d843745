package record

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"

	"muster/fakes/nodes"
	"muster/suites/history"
)

// WaitFor waits until the watch of a resource has delivered everything up to a resource version: that of an object of
// this resource which the driver has just written, or of a list of it. Resource versions of other resources may never
// be reached, since a watch only tells of its own.
func (r *Recorder) WaitFor(ctx context.Context, gvr schema.GroupVersionResource, rv string) error {
	want, err := strconv.ParseInt(rv, 10, 64)
	if err != nil {
		return fmt.Errorf("waiting for resource version %q of %s: it is not a number", rv, gvr.Resource)
	}
	i := slices.IndexFunc(r.streams, func(s *stream) bool { return s.gvr == gvr })
	if i < 0 {
		return fmt.Errorf("waiting for %s: the resource is not recorded", gvr.Resource)
	}
	s := r.streams[i]
	err = r.wait(ctx, func() bool {
		got, err := strconv.ParseInt(s.rv, 10, 64)
		return err == nil && got >= want
	})
	if err != nil {
		return fmt.Errorf("waiting until the watch of %s reaches resource version %s (it is at %s): %w", gvr.Resource, rv, s.reached(), err)
	}
	return nil
}

// wait evaluates a condition, with the lock held, after every event until it holds.
func (r *Recorder) wait(ctx context.Context, cond func() bool) error {
	for {
		r.lock.Lock()
		holds, closed, wake := cond(), r.closed, r.wake
		r.lock.Unlock()
		switch {
		case holds:
			return nil
		case closed:
			return ErrClosed
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Sync waits until everything that has happened so far to a scope's objects is recorded; nil is everything. It lists
// them (identities only) and waits until the watches have told as much. It does not depend on bookmarks, which come
// once a minute.
func (r *Recorder) Sync(ctx context.Context, scope *history.Scope) error {
	for _, s := range r.streams {
		for _, part := range s.parts(scope) {
			if _, err := s.catchUp(ctx, part); err != nil {
				return fmt.Errorf("waiting until the record is complete: %w", err)
			}
		}
	}
	return nil
}

// partOf a resource: a namespace or a selection; the zero value is all of it.
type partOf struct{ namespace, selector string }

// parts of the resource that belong to a scope. Of cluster-scoped resources only nodes say to whom they belong.
func (s *stream) parts(scope *history.Scope) []partOf {
	switch {
	case scope == nil || scope.IsWhole():
		return []partOf{{}}
	case s.namespaced:
		out := make([]partOf, len(scope.Namespaces))
		for i, ns := range scope.Namespaces {
			out[i].namespace = ns
		}
		return out
	case s.gvr.Resource == "nodes" && len(scope.Pools) > 0:
		pools := slices.Sorted(maps.Values(scope.Pools))
		return []partOf{{selector: nodes.PoolLabel + " in (" + strings.Join(pools, ",") + ")"}}
	}
	return nil
}

// listing is a consistent list of identities.
type listing struct {
	rv  string
	all []history.ListedObject
}

// catchUp lists part of the resource and waits until the watch has told of it.
func (s *stream) catchUp(ctx context.Context, part partOf) (listing, error) {
	var client metadata.ResourceInterface = s.rec.meta.Resource(s.gvr)
	if part.namespace != "" {
		client = s.rec.meta.Resource(s.gvr).Namespace(part.namespace)
	}
	list, err := client.List(ctx, metav1.ListOptions{LabelSelector: part.selector})
	if err != nil {
		return listing{}, fmt.Errorf("listing %s: %w", s.gvr.Resource, err)
	}
	out := listing{rv: list.ResourceVersion, all: make([]history.ListedObject, 0, len(list.Items))}
	for _, o := range list.Items {
		if s.kept(o.Namespace, o.Name) {
			out.all = append(out.all, history.ListedObject{UID: string(o.UID), RV: o.ResourceVersion})
		}
	}
	return out, s.toldOf(ctx, out, part)
}

// toldOf waits until the watch has told of what a list of part of the resource shows.
func (s *stream) toldOf(ctx context.Context, l listing, part partOf) error {
	// Looking at everything after every event is dear; looking for the first object still missing is not.
	missing := ""
	err := s.rec.wait(ctx, func() bool {
		missing = s.missing(l, part, missing)
		return missing == ""
	})
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("the watch of %s has not told what a list at resource version %s shows (%s): %w", s.gvr.Resource, l.rv, missing, err)
	}
	return err
}

// missing names an object about which the watch has not told what the list shows; empty where there is none. hint is
// the one found last. Called with the lock held.
func (s *stream) missing(l listing, part partOf, hint string) string {
	if hint != "" {
		i := slices.IndexFunc(l.all, func(o history.ListedObject) bool { return o.UID == hint })
		if i >= 0 && !s.told(l.all[i]) {
			return hint
		}
	}
	listed := make(map[string]bool, len(l.all))
	for _, o := range l.all {
		listed[o.UID] = true
		if !s.told(o) {
			return o.UID
		}
	}
	if part.selector != "" {
		return "" // whether an object that is not listed was selected is not known
	}
	for uid, id := range s.known {
		if !listed[uid] && (part.namespace == "" || id.namespace == part.namespace) && !younger(id.rv, l.rv) {
			return uid
		}
	}
	return ""
}

// told reports whether the watch has told of this version of an object, or of a later one.
func (s *stream) told(o history.ListedObject) bool {
	if id, ok := s.known[o.UID]; ok {
		return id.rv == o.RV || younger(id.rv, o.RV)
	}
	ended, ok := s.ended[o.UID]
	return ok && younger(ended, o.RV)
}

// younger compares two resource versions of one resource.
func younger(a, b string) bool {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	return errX == nil && errY == nil && x > y
}
