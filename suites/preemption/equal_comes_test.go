package preemption

import (
	"testing"

	"muster/suites/kit/kittest"
)

// Stories about a pod of the gang's own priority that comes while the gang's victims end.
func equalComesStories() []told {
	const name = "preemption-equal-comes-while-victims-end"
	begun := func() teller {
		return begin().nodes("main", 2, 1).across("low", "", "main", 2, 100).ready().attack("g", "main", 2, 2)
	}
	ending := func(priority int32) teller {
		b := begun()
		b.Evict("low-0", "low-1").Mark("draining").Pod("equal", "", gpus(1), at(priority), only("main"))
		return b
	}
	over := func(b teller) teller { b.Gone("low-0", "low-1"); return b }
	nobody := begun()
	nobody.Mark("draining").Pod("equal", "", gpus(1), at(1000), only("main"))
	late := begun()
	late.Evict("low-0", "low-1").Gone("low-0", "low-1").Mark("draining").Pod("equal", "", gpus(1), at(1000), only("main"))
	return []told{
		{name, "the gang has it", over(ending(1000)).bind("g-0", "main-0").bind("g-1", "main-1").settled(), verdicts{"PRE-070": seen}},
		{name, "the equal takes it", over(ending(1000)).bind("equal", "main-0").settled(), verdicts{"PRE-070": seen}},
		{name, "one of less", over(ending(100)).bind("g-0", "main-0").bind("g-1", "main-1").settled(), verdicts{"PRE-070": unclear}},
		{name, "too late", late.bind("g-0", "main-0").bind("g-1", "main-1").settled(), verdicts{"PRE-070": unclear}},
		{name, "nobody ends", nobody.inVain(), verdicts{"PRE-070": unclear}},
		{name, "nobody is bound", over(ending(1000)).inVain(), verdicts{"PRE-070": unclear}},
	}
}

// What people read of it.
func TestEqualComesValues(t *testing.T) {
	want := map[string]string{
		"the gang has it":    "2 of 2 members of the gang bound; the pod that came later waits",
		"the equal takes it": "0 of 2 members of the gang bound; the pod that came later is bound",
	}
	for _, s := range equalComesStories() {
		if w := want[s.name]; w != "" {
			if _, f := kittest.Judge(t, s.scenario, s.tell.View()); len(f) != 1 || f[0].Value != w {
				t.Errorf("%s: %+v, want the value %q", s.name, f, w)
			}
		}
	}
}
