package engine

import (
	"cmp"
	"math"
	"slices"
)

// market is one domain in which so many places are to be bought: at each stall one of its options, or none.
type market struct {
	stalls  [][]option
	deficit int
	least   int64 // no purchase costs less
}

// purchase is who is evicted, and the price.
type purchase struct {
	price int64
	units []*unit
}

// bargain is the way from one option of a stall to a later one that gains most for the money.
type bargain struct {
	stall, from, to int // from -1: from nothing
	gain            int32
	price           int64
}

// bargains are a stall's ways up, each with a worse rate than the one before.
func bargains(stall int, options []option) (out []bargain) {
	from, gain, price := -1, int32(0), int64(0)
	for from+1 < len(options) {
		best := bargain{stall: stall, from: from, to: -1}
		for i := from + 1; i < len(options); i++ {
			b := bargain{stall, from, i, options[i].gain - gain, options[i].price - price}
			if best.to < 0 || b.rate() <= best.rate() {
				best = b
			}
		}
		out = append(out, best)
		from, gain, price = best.to, options[best.to].gain, options[best.to].price
	}
	return out
}

func (b bargain) rate() float64 { return float64(b.price) / float64(b.gain) }

// haggle takes the best rates until the deficit is covered, the last of them replaced by whatever covers the rest for
// least. It notes what any purchase costs at least: the best rates, the last one in part. ok is false where all options
// together are not enough.
func (m *market) haggle() (p purchase, ok bool) {
	if m.deficit <= 0 {
		return p, true
	}
	var all []bargain
	for i, o := range m.stalls {
		all = append(all, bargains(i, o)...)
	}
	slices.SortStableFunc(all, func(a, b bargain) int {
		return cmp.Or(cmp.Compare(a.rate(), b.rate()), cmp.Compare(a.stall, b.stall), cmp.Compare(a.from, b.from))
	})
	taken := make([]int, len(m.stalls)) // option by stall, from 1; 0 for none
	rest := m.deficit
	for _, b := range all {
		if int(b.gain) < rest {
			rest -= int(b.gain)
			p.price += b.price
			taken[b.stall] = b.to + 1
			continue
		}
		m.least = p.price + int64(math.Floor(float64(b.price)*float64(rest)/float64(b.gain)))
		best, stall, to := int64(math.MaxInt64), -1, 0
		for i, options := range m.stalls {
			var had option
			if taken[i] > 0 {
				had = options[taken[i]-1]
			}
			for j, o := range options {
				if int(o.gain-had.gain) >= rest && o.price-had.price < best {
					best, stall, to = o.price-had.price, i, j+1
				}
			}
		}
		p.price += best
		taken[stall] = to
		p.units = m.bought(taken)
		return p, true
	}
	return p, false
}

func (m *market) bought(taken []int) (out []*unit) {
	for i, t := range taken {
		if t > 0 {
			out = append(out, m.stalls[i][t-1].units...)
		}
	}
	return out
}

// work is how many steps settle takes.
func (m *market) work() int {
	n := 0
	for _, o := range m.stalls {
		n += len(o) + 1
	}
	return n * (m.deficit + 1)
}

// settle finds the cheapest purchase: best[j] is the least price for j places at the stalls seen so far.
func (m *market) settle() (p purchase, ok bool) {
	const never = math.MaxInt64 / 2
	best := make([]int64, m.deficit+1)
	for j := 1; j <= m.deficit; j++ {
		best[j] = never
	}
	choice := make([][]uint16, len(m.stalls))
	for i, options := range m.stalls {
		choice[i] = make([]uint16, m.deficit+1)
		for j := m.deficit; j > 0; j-- { // downwards: what stands below is from before this stall
			for o, x := range options {
				if price := best[max(0, j-int(x.gain))] + x.price; price < best[j] {
					best[j], choice[i][j] = price, uint16(o+1)
				}
			}
		}
	}
	if best[m.deficit] >= never {
		return p, false
	}
	taken := make([]int, len(m.stalls))
	j := m.deficit
	for i := len(m.stalls) - 1; i >= 0 && j > 0; i-- {
		if taken[i] = int(choice[i][j]); taken[i] > 0 {
			j = max(0, j-int(m.stalls[i][taken[i]-1].gain))
		}
	}
	return purchase{best[m.deficit], m.bought(taken)}, true
}
