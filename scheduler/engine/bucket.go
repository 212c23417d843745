package engine

import "math/bits"

// Nodes are taken in classes: first those that are meant for such pods, then those with extended resources the pods do
// not ask for, then those that would rather not have them (PreferNoSchedule), then those with both.
const (
	wasteful = 1
	averse   = 2
	classes  = 4
	// width is the number of buckets of a class; bucket i holds the nodes with i copies, the last one those with more.
	width = 128
)

// buckets sorts nodes by class and by how many copies fit. The nodes of a bucket are a set of bits, so that they come in
// the order of their names whatever happened before: answers do not depend on history, and neighbours are used together.
// They are known by their places in that order.
type buckets struct {
	sets [classes * width]bucket
	full [classes][2]uint64 // which buckets are not empty
}

type bucket struct {
	words []uint64
	size  int32
	low   int32 // no word before it has a bit
}

func slot(class uint8, copies int32) int32 { return int32(class)*width + min(copies, width-1) }

func (b *buckets) add(i, place int32) {
	s := &b.sets[i]
	w := place / 64
	for int(w) >= len(s.words) {
		s.words = append(s.words, 0)
	}
	s.words[w] |= 1 << (place % 64)
	if s.size == 0 || w < s.low {
		s.low = w
	}
	s.size++
	b.full[i/width][i%width/64] |= 1 << (i % 64)
}

func (b *buckets) remove(i, place int32) {
	s := &b.sets[i]
	s.words[place/64] &^= 1 << (place % 64)
	if s.size--; s.size == 0 {
		b.full[i/width][i%width/64] &^= 1 << (i % 64)
	}
}

// first is the place of the first node of the bucket at or after from, or -1.
func (s *bucket) first(from int32) int32 {
	w := from / 64
	mask := ^uint64(0) << (from % 64)
	if w < s.low {
		w, mask = s.low, ^uint64(0)
	}
	for ; int(w) < len(s.words); w++ {
		if word := s.words[w] & mask; word != 0 {
			return w*64 + int32(bits.TrailingZeros64(word))
		}
		if from == 0 {
			s.low = w
		}
		mask = ^uint64(0)
	}
	return -1
}

// next is the first bit of a set at or after from, or -1.
func next(set [2]uint64, from int) int {
	for w := from / 64; w < 2; w++ {
		word := set[w]
		if w == from/64 {
			word &= ^uint64(0) << (from % 64)
		}
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// assign is so many copies on a node.
type assign struct{ node, copies int32 }

// fillScratch is memory that fills use again.
type fillScratch struct {
	local buckets // the nodes of a scope, empty between fills
	from  [classes * width]int32
	out   []assign
}

// fill spreads up to want copies over the nodes: class by class, and in a class the tightest nodes first, until what is
// left fits on one node; that is then the tightest node that takes it all. So fragments are used up and whole nodes stay
// whole, and the end of a gang never opens a node that is larger than needed.
func (b *buckets) fill(cells, ids []int32, want int, s *fillScratch) []assign {
	out := s.out[:0]
	for c := 0; c < classes && want > 0; c++ {
		left := b.full[c] // buckets not used up
		if left[0]|left[1] == 0 {
			continue
		}
		clear(s.from[c*width : (c+1)*width])
		for want > 0 {
			i := -1
			if want < width {
				i = next(left, want)
			}
			if i < 0 {
				if i = next(left, 1); i < 0 {
					break
				}
			}
			set := c*width + i
			place := b.sets[set].first(s.from[set])
			if place < 0 {
				left[i/64] &^= 1 << (i % 64)
				continue
			}
			s.from[set] = place + 1
			node := ids[place]
			n := int32(min(int64(want), int64(cells[node])))
			out = append(out, assign{node, n})
			want -= int(n)
		}
	}
	s.out = out
	return out
}
