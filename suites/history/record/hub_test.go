package record

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"pgregory.net/rapid"

	"muster/suites/history"
)

// startHub starts a hub on an API.
func startHub(t testing.TB, a *api) *Hub {
	t.Helper()
	h, err := NewHub(context.Background(), a.config(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// guestOf starts a recorder of what begins like mine.
func guestOf(t testing.TB, a *api, h *Hub, mine string) *bench {
	t.Helper()
	return startOn(t, a, func(o *Options) {
		o.Hub, o.Resources = h, []schema.GroupVersionResource{pods}
		o.Keep = func(scope string) bool { return strings.HasPrefix(scope, mine) }
	})
}

// told are the events of a history that are about objects, without what depends on who was told of them.
func toldOf(h *history.History) []string {
	var out []string
	for _, e := range h.Events {
		if e.Resource != "" && e.Verb != history.VerbSync {
			out = append(out, fmt.Sprintf("%s %s %s/%s %s %s %s", e.Verb, e.Resource, e.Namespace, e.Name, e.RV, e.Object, e.Patch))
		}
	}
	return out
}

// Whatever happens, each of those who share a hub records what it would have recorded by itself of what is its own.
func TestHubTellsEachItsOwn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := newAPI(t)
		a.put("pods", "a-1", "before", spec(""))
		a.put("pods", "b-1", "before", spec("n"))
		h := startHub(t, a)
		one, two, alone := guestOf(t, a, h, "a-"), guestOf(t, a, h, "b-"), startOn(t, a)
		for i := range rapid.IntRange(1, 12).Draw(r, "steps") {
			guest := rapid.SampledFrom([]string{"a-1", "b-1", "c-1"}).Draw(r, fmt.Sprintf("guest %d", i))
			name := rapid.SampledFrom([]string{"x", "y"}).Draw(r, fmt.Sprintf("pod %d", i))
			switch rapid.IntRange(0, 3).Draw(r, fmt.Sprintf("step %d", i)) {
			case 0:
				a.put("nodes", "", guest+"-node", object{})
			case 1:
				a.mu.Lock()
				exists := a.objects["pods"][guest+"/"+name] != nil
				a.mu.Unlock()
				if exists {
					a.delete("pods", guest, name)
				}
			default:
				a.put("pods", guest, name, spec(fmt.Sprint("n", i)))
			}
		}
		last := a.put("pods", "a-1", "last", spec("")) // what came and went is in no list that closing could wait for
		end := a.put("pods", "b-1", "last", spec(""))
		for b, rv := range map[*bench]string{one: last, two: end, alone: end} {
			if err := b.rec.WaitFor(b.ctx, pods, rv); err != nil {
				r.Fatal(err)
			}
		}
		whole := alone.close()
		for prefix, b := range map[string]*bench{"a-": one, "b-": two} {
			got := b.close()
			if gaps := view(got).Gaps; len(gaps) > 0 {
				r.Fatalf("%s: gaps %+v", prefix, gaps)
			}
			for _, resource := range []string{"pods", "nodes"} {
				want := only(toldOf(whole), resource, prefix)
				if have := only(toldOf(got), resource, prefix); strings.Join(have, "\n") != strings.Join(want, "\n") {
					r.Fatalf("%s was told of %s\n%s\nwant\n%s", prefix, resource, strings.Join(have, "\n"), strings.Join(want, "\n"))
				}
			}
			if len(toldOf(got)) != len(only(toldOf(got), "", prefix)) {
				r.Fatalf("%s was told of others: %q", prefix, toldOf(got))
			}
		}
	})
}

// only are those about a resource (empty: all) whose namespace, or name, begins with a prefix.
func only(all []string, resource, prefix string) []string {
	var out []string
	for _, s := range all {
		f := strings.Fields(s)
		if (resource == "" || f[1] == resource) && strings.HasPrefix(strings.TrimPrefix(f[2], "/"), prefix) {
			out = append(out, s)
		}
	}
	return out
}

// A watch that breaks is a gap for all who share it, where events may be missing, and for none where it goes on.
func TestHubBreaks(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(a *api)
		gaps int
	}{
		"cut": {func(a *api) { a.breakWatches() }, 0},
		"expired": {func(a *api) {
			a.hold(true)
			for _, guest := range []string{"a-1", "b-1"} {
				a.put("pods", guest, "lost", spec(""))
				a.put("pods", guest, "lost", spec("n"))
				a.put("nodes", "", guest+"-node", object{})
			}
			a.expire()
			a.breakWatches()
			a.hold(false)
		}, 2}, // pods and nodes alike
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t)
			a.put("pods", "a-1", "x", spec(""))
			h := startHub(t, a)
			one, two := guestOf(t, a, h, "a-"), guestOf(t, a, h, "b-")
			c.tell(a)
			for guest, b := range map[string]*bench{"a-1": one, "b-1": two} {
				if err := b.rec.Sync(b.ctx, nil); err != nil {
					t.Fatal(err)
				}
				rv := a.put("pods", guest, "after", spec("n"))
				if err := b.rec.WaitFor(b.ctx, pods, rv); err != nil {
					t.Fatal(err)
				}
				if got := view(b.close()).Gaps; len(got) != c.gaps {
					t.Errorf("%s: gaps %+v, want %d", guest, got, c.gaps)
				}
			}
		})
	}
}

func TestHubRefuses(t *testing.T) {
	a := newAPI(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := NewHub(ctx, a.config(), []schema.GroupVersionResource{gangs}); err == nil || !strings.Contains(err.Error(), "gangs") {
		t.Errorf("a type that is not Kubernetes' own: %v", err)
	}
	h := startHub(t, a)
	if _, err := Start(ctx, Options{Config: a.config(), Out: &buffer{}, Hub: h}); err == nil || !strings.Contains(err.Error(), "Keep") {
		t.Errorf("without Keep: %v", err)
	}
}

// Events are remembered for who begins to watch, and not for ever.
func TestHubForgets(t *testing.T) {
	a := newAPI(t)
	c := startHub(t, a).channels[pods]
	all := share{c, func(string) bool { return true }}
	for i := range 2 * remembered {
		if err := c.take(watchAdded(fmt.Sprint("p", i), 1000+i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := all.Watch(context.Background(), from(1000)); err == nil {
		t.Error("a watch from before what is remembered was opened")
	}
	w, err := all.Watch(context.Background(), from(1000+2*remembered-3))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if e := <-w.ResultChan(); e.Object.(interface{ GetResourceVersion() string }).GetResourceVersion() != fmt.Sprint(1000+2*remembered-2) {
		t.Errorf("the first event after the version asked for is %v", e.Object)
	}
}

func watchAdded(name string, rv int) watch.Event {
	return watch.Event{Type: watch.Added, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name, Namespace: "a-1", UID: types.UID(name), ResourceVersion: fmt.Sprint(rv)}}}
}

func from(rv int) metav1.ListOptions { return metav1.ListOptions{ResourceVersion: fmt.Sprint(rv)} }
