package faults

import (
	"fmt"
	"slices"
	"sync"
)

// Book holds the rules in force and counts. Its methods may be called from any goroutine. The zero Book has no rules.
type Book struct {
	// Seed decides rules that have a Chance.
	Seed int64

	mu    sync.Mutex
	pages []*Page
	calls map[string]int
}

// Page is a rule in force.
type Page struct {
	Rule Rule
	// Mended is closed when the rule is taken back.
	Mended chan struct{}

	picked, struck int
}

// Add puts rules into force, behind those that are; the first that strikes a request decides what happens to it.
// Either all of them are, or none.
func (b *Book) Add(rules ...Rule) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	pages := slices.Clone(b.pages)
	for _, r := range rules {
		if err := r.Check(); err != nil {
			return err
		}
		if slices.ContainsFunc(pages, func(p *Page) bool { return p.Rule.Name == r.Name }) {
			return fmt.Errorf("fault %q: one of that name is in force: take it back first", r.Name)
		}
		pages = append(pages, &Page{Rule: r, Mended: make(chan struct{})})
	}
	b.pages = pages
	return nil
}

// Mend takes rules back; without names, all. A name that is not in force is an error, and nothing is taken back.
func (b *Book) Mend(names ...string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range names {
		if !slices.ContainsFunc(b.pages, func(p *Page) bool { return p.Rule.Name == n }) {
			return fmt.Errorf("taking back fault %q: it is not in force", n)
		}
	}
	var kept []*Page
	for _, p := range b.pages {
		if len(names) > 0 && !slices.Contains(names, p.Rule.Name) {
			kept = append(kept, p)
			continue
		}
		close(p.Mended)
	}
	b.pages = kept
	return nil
}

// Take counts a request and says which rule strikes it, and that rule's how many-th strike it is; nil: none does. Every
// rule that picks the request counts it, so that the rules do not shift each other's counts.
func (b *Book) Take(q Request) (*Page, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls == nil {
		b.calls = map[string]int{}
	}
	b.calls[q.Kind()]++
	var hit *Page
	for _, p := range b.pages {
		if p.Rule.Fault.Hold || p.Rule.Fault.Lens != nil || !p.Rule.Picks(q) {
			continue
		}
		p.picked++
		if hit != nil || p.Rule.Times > 0 && p.struck >= p.Rule.Times || !p.Rule.Strikes(b.Seed, p.picked) {
			continue
		}
		p.struck++
		hit = p
	}
	if hit == nil {
		return nil, 0
	}
	return hit, hit.struck
}

// Held is the rule that holds a watch back now; nil: none does.
func (b *Book) Held(q Request) *Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.pages {
		if p.Rule.Fault.Hold && p.Rule.Picks(q) {
			return p
		}
	}
	return nil
}

// Lenses are those through which the answer to a request is seen, in the order in which they were added. Like held
// watches they count no strikes.
func (b *Book) Lenses(q Request) []*Lens {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []*Lens
	for _, p := range b.pages {
		if l := p.Rule.Fault.Lens; l != nil && p.Rule.Picks(q) {
			out = append(out, l)
		}
	}
	return out
}

// NeedsBody reports whether a rule in force looks into bodies.
func (b *Book) NeedsBody() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.pages, func(p *Page) bool { return p.Rule.Body != "" || p.Rule.Fault.Answer != nil || p.Rule.Fault.Also != nil })
}

// Calls are the requests taken so far, by Request.Kind. A copy.
func (b *Book) Calls() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make(map[string]int, len(b.calls))
	for k, n := range b.calls {
		out[k] = n
	}
	return out
}
