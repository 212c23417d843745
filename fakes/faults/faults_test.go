package faults

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRulesThatCannotBe(t *testing.T) {
	ok := Rule{Name: "x", Fault: Fault{Status: 500}}
	for want, change := range map[string]func(*Rule){
		"no name":    func(r *Rule) { r.Name = "" },
		"pattern":    func(r *Rule) { r.Object = "[" },
		"negative":   func(r *Rule) { r.Skip = -1 },
		"chance":     func(r *Rule) { r.Chance = 1.5 },
		"delay":      func(r *Rule) { r.Fault.Delay = -time.Second },
		"no refusal": func(r *Rule) { r.Fault.Status = 200 },
		"choose one": func(r *Rule) { r.Fault.Drop = true },
		"nothing":    func(r *Rule) { r.Fault = Fault{} },
		"by count":   func(r *Rule) { r.Fault, r.Times = Fault{Hold: true}, 1 },
		"not by": func(r *Rule) {
			r.Fault, r.Times = Fault{Lens: &Lens{Keep: func(map[string]any) bool { return true }}}, 1
		},
		"changes no": func(r *Rule) { r.Fault = Fault{Lens: &Lens{}} },
	} {
		r := ok
		change(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := ok.Check(); err != nil {
		t.Error(err)
	}
}

var bind = Request{Verb: "create", Resource: "pods/binding", Namespace: "a", Name: "g-1", Body: []byte(`{"target":{"name":"node-7"}}`)}

func TestRulesPick(t *testing.T) {
	for _, tt := range []struct {
		name string
		rule Rule
		want bool
	}{
		{"everything", Rule{}, true},
		{"binds", Rule{Verb: "create", Resource: "pods/binding"}, true},
		{"pods alone", Rule{Resource: "pods"}, false},
		{"a gang's", Rule{Object: "g-*", Namespace: "a"}, true},
		{"another namespace", Rule{Namespace: "b"}, false},
		{"to a node", Rule{Body: "node-7"}, true},
		{"to another node", Rule{Body: "node-8"}, false},
		{"subresources", Rule{Resource: "*/*"}, true},
	} {
		if got := tt.rule.Picks(bind); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// The k-th to the k+n-th request a rule picks are struck, whatever else comes between.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := Rule{
			Name: "r", Resource: "pods/binding", Skip: rapid.IntRange(0, 5).Draw(t, "skip"),
			Times: rapid.IntRange(0, 5).Draw(t, "times"), Fault: Fault{Status: 409},
		}
		var b Book
		if err := b.Add(rule); err != nil {
			t.Fatal(err)
		}
		picked, calls := 0, rapid.SliceOfN(rapid.Bool(), 0, 30).Draw(t, "binds")
		for _, isBind := range calls {
			q := Request{Verb: "list", Resource: "pods"}
			if isBind {
				q, picked = bind, picked+1
			}
			want := isBind && picked > rule.Skip && (rule.Times == 0 || picked <= rule.Skip+rule.Times)
			page, k := b.Take(q)
			if (page != nil) != want || want && k != picked-rule.Skip {
				t.Fatalf("bind %d: strike %d of %v, want one: %t", picked, k, page, want)
			}
		}
		total := 0
		for _, n := range b.Calls() {
			total += n
		}
		if total != len(calls) {
			t.Fatalf("%d calls counted of %d", total, len(calls))
		}
	})
}

// Chance follows from the seed alone, and is about as often as it says.
func TestChanceIsOfTheSeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rule{Name: rapid.StringN(1, 8, -1).Draw(t, "name"), Chance: rapid.Float64Range(0.1, 0.9).Draw(t, "chance")}
		seed, n := rapid.Int64().Draw(t, "seed"), 2000
		hits := 0
		for k := 1; k <= n; k++ {
			strikes := r.Strikes(seed, k)
			if again := r.Strikes(seed, k); again != strikes {
				t.Fatal("not the same twice")
			}
			if strikes {
				hits++
			}
		}
		if got := float64(hits) / float64(n); got < r.Chance-0.1 || got > r.Chance+0.1 {
			t.Fatalf("struck %.2f, want about %.2f", got, r.Chance)
		}
	})
}

func TestBook(t *testing.T) {
	var b Book
	first, second := Rule{Name: "a", Fault: Fault{Status: 500}, Times: 1}, Rule{Name: "b", Fault: Fault{Drop: true}, Body: "x"}
	if err := b.Add(first, second); err != nil || !b.NeedsBody() {
		t.Fatal(err)
	}
	if err := b.Add(Rule{Name: "c", Fault: Fault{Drop: true}}, first); err == nil {
		t.Error("a second rule of that name was added")
	}
	if err := b.Mend("c"); err == nil {
		t.Error("a rule that is not in force was taken back: half of a refused set is in force")
	}
	page, _ := b.Take(bind)
	if page == nil || page.Rule.Name != "a" {
		t.Errorf("struck by %v", page)
	}
	hold := Rule{Name: "h", Resource: "pods", Fault: Fault{Hold: true}}
	if err := b.Add(hold); err != nil {
		t.Fatal(err)
	}
	watch := Request{Verb: "watch", Resource: "pods"}
	if p, _ := b.Take(watch); p != nil {
		t.Error("a rule that holds watches struck the request")
	}
	held := b.Held(watch)
	if held == nil {
		t.Fatal("not held")
	}
	if err := b.Mend(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-held.Mended:
	default:
		t.Error("nobody is told that the fault is over")
	}
	if b.Held(watch) != nil || b.NeedsBody() {
		t.Error("rules are in force that were taken back")
	}
}
