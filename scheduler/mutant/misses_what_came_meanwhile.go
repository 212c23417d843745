package mutant

import (
	"net/http"
	"path"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
)

// meanwhile is how long a watch that was begun again tells of what came before it was.
const meanwhile = 500 * time.Millisecond

func init() {
	add(Mutant{
		Name:     "misses-what-came-meanwhile",
		About:    "It begins a watch of pods that has ended at the present, and does not look at what came meanwhile.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-005"},
		May:      []string{"ROB-008", "INV-004"},
		fault: func() *control.Fault {
			w := &rewatch{}
			return &control.Fault{
				Transport: func(next http.RoundTripper) http.RoundTripper { return over{next, w} },
				Heard:     func(metav1.Object) bool { return w.hears(time.Now()) },
			}
		},
	})
}

// rewatch knows when the watch of pods was last begun again.
type rewatch struct {
	mu    sync.Mutex
	begun bool
	deaf  time.Time // until then
}

func (w *rewatch) begin(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun {
		w.deaf = now.Add(meanwhile)
	}
	w.begun = true
}

func (w *rewatch) hears(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !now.Before(w.deaf)
}

// over notes the watches that go over another transport.
type over struct {
	http.RoundTripper
	*rewatch
}

func (o over) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.RoundTripper.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusOK && path.Base(r.URL.Path) == "pods" && r.URL.Query().Has("watch") {
		o.begin(time.Now())
	}
	return resp, err
}
