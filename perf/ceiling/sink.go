package ceiling

import (
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// sink is where a reflector leaves what it hears: the world, without a cache between. It only remembers which objects
// there are, so that those missing from a new list are known to be gone.
type sink[T metav1.Object] struct {
	binder *Binder
	upsert func(*world, T)
	remove func(*world, key, types.UID)
	first  func() // at the first list

	mu   sync.Mutex
	have map[types.UID]key
}

func (s *sink[T]) take(o any) (T, error) {
	obj, ok := o.(T)
	if !ok {
		return obj, fmt.Errorf("watching: %T came where %T was asked for", o, obj)
	}
	return obj, nil
}

func keyOf(o metav1.Object) key { return key{o.GetNamespace(), o.GetName()} }

// Add tells of a new object.
func (s *sink[T]) Add(o any) error { return s.Update(o) }

// Update tells of a changed object.
func (s *sink[T]) Update(o any) error {
	obj, err := s.take(o)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have[obj.GetUID()] = keyOf(obj)
	s.binder.change(func(w *world) { s.upsert(w, obj) })
	return nil
}

// Delete tells of an object that is gone.
func (s *sink[T]) Delete(o any) error {
	obj, err := s.take(o)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.have, obj.GetUID())
	s.binder.change(func(w *world) { s.remove(w, keyOf(obj), obj.GetUID()) })
	return nil
}

// Replace tells of everything there is.
func (s *sink[T]) Replace(list []any, _ string) error {
	now := make(map[types.UID]key, len(list))
	objs := make([]T, 0, len(list))
	for _, o := range list {
		obj, err := s.take(o)
		if err != nil {
			return err
		}
		now[obj.GetUID()] = keyOf(obj)
		objs = append(objs, obj)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.binder.change(func(w *world) {
		for uid, k := range s.have {
			if _, still := now[uid]; !still {
				s.remove(w, k, uid)
			}
		}
		for _, obj := range objs {
			s.upsert(w, obj)
		}
	})
	s.have = now
	s.first()
	return nil
}

// Resync does nothing: there is nothing to be told twice.
func (s *sink[T]) Resync() error { return nil }
