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

// buckets sorts nodes by class and by how many copies fit.
type buckets struct {
	lists [classes * width][]int32
	full  [classes][2]uint64 // which lists are not empty
}

func slot(class uint8, copies int32) int32 { return int32(class)*width + min(copies, width-1) }

func (b *buckets) add(i, node int32) int32 {
	b.lists[i] = append(b.lists[i], node)
	b.full[i/width][i%width/64] |= 1 << (i % 64)
	return int32(len(b.lists[i]) - 1)
}

// remove takes out the entry at a place; the node that takes the place over is returned, or -1.
func (b *buckets) remove(i, place int32) int32 {
	l := b.lists[i]
	last := int32(len(l) - 1)
	moved := int32(-1)
	if place != last {
		moved = l[last]
		l[place] = moved
	}
	b.lists[i] = l[:last]
	if last == 0 {
		b.full[i/width][i%width/64] &^= 1 << (i % 64)
	}
	return moved
}

func (b *buckets) clear() {
	for c := range b.full {
		for w, word := range b.full[c] {
			for ; word != 0; word &= word - 1 {
				i := c*width + w*64 + bits.TrailingZeros64(word)
				b.lists[i] = b.lists[i][:0]
			}
			b.full[c][w] = 0
		}
	}
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
	local buckets // the nodes of a scope
	done  [classes * width]int32
	out   []assign
}

// fill spreads up to want copies over the nodes: class by class, and in a class the tightest nodes first, until what is
// left fits on one node; that is then the tightest node that takes it all. So fragments are used up and whole nodes stay
// whole, and the end of a gang never opens a node that is larger than needed.
func (b *buckets) fill(cells []int32, want int, s *fillScratch) []assign {
	out := s.out[:0]
	for c := 0; c < classes && want > 0; c++ {
		left := b.full[c] // lists not used up
		for _, set := range [2]uint64{left[0], left[1]} {
			if set != 0 {
				clear(s.done[c*width : (c+1)*width])
				break
			}
		}
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
			list := c*width + i
			node := b.lists[list][s.done[list]]
			if s.done[list]++; int(s.done[list]) == len(b.lists[list]) {
				left[i/64] &^= 1 << (i % 64)
			}
			n := min(int32(min(want, 1<<30)), cells[node])
			out = append(out, assign{node, n})
			want -= int(n)
		}
	}
	s.out = out
	return out
}
