package oracle

import "slices"

// vector counts copies by shape.
type vector []int

// covers reports whether v has at least as many of every shape as o.
func (v vector) covers(o vector) bool {
	for i := range v {
		if v[i] < o[i] {
			return false
		}
	}
	return true
}

// frontier is the set of count vectors that some nodes can take and that no other such vector covers. Whatever lies
// below one of them can be taken as well, since taking a pod away never breaks a placement here. The zero vector is
// always there.
type frontier struct {
	caps vector
	most int
	all  []vector
}

func newFrontier(caps vector) *frontier {
	return &frontier{caps: caps, all: []vector{make(vector, len(caps))}}
}

// best is the greatest number of pods any vector has.
func (f *frontier) best() int { return f.most }

// add puts v into the frontier unless it is covered, and drops what it covers.
func (f *frontier) add(b *budget, v vector) error {
	if err := b.spend(len(f.all)); err != nil {
		return err
	}
	for _, have := range f.all {
		if have.covers(v) {
			return nil
		}
	}
	f.all = slices.DeleteFunc(f.all, v.covers)
	f.all = append(f.all, v)
	sum := 0
	for _, n := range v {
		sum += n
	}
	f.most = max(f.most, sum)
	return nil
}

// join adds everything another frontier over the same nodes holds.
func (f *frontier) join(b *budget, o *frontier) error {
	for _, v := range o.all {
		if err := f.add(b, v); err != nil {
			return err
		}
	}
	return nil
}

// fold adds further nodes: every vector of f with every vector of theirs, cut to the number of pods there are. It
// reports whether that changed anything.
func (f *frontier) fold(b *budget, o *frontier) (bool, error) {
	out := newFrontier(f.caps)
	for _, x := range f.all {
		for _, y := range o.all {
			sum := make(vector, len(x))
			for i := range sum {
				sum[i] = min(x[i]+y[i], f.caps[i])
			}
			if err := out.add(b, sum); err != nil {
				return false, err
			}
		}
	}
	changed := len(out.all) != len(f.all) || slices.ContainsFunc(out.all, func(v vector) bool {
		return !slices.ContainsFunc(f.all, func(have vector) bool { return slices.Equal(have, v) })
	})
	*f = *out
	return changed, nil
}
