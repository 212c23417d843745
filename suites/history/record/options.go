package record

import (
	"io"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"muster/suites/history"
)

// Options of a recorder. Config, Out and Header are required.
type Options struct {
	// Config of an administrator of the cluster. Its rate limits should be raised; the recorder needs few requests.
	Config *rest.Config
	// Out receives the JSON lines. Where it is also an io.Closer it is closed by Close.
	Out io.Writer
	// Header of the history. Kind and Format are filled in; a zero Started is now.
	Header history.Header
	// Resources to record beside pods and nodes. Those that the API does not serve are left out (see Skipped).
	// Secrets are refused.
	Resources []schema.GroupVersionResource
	// Hub to draw from, which watches the cluster for others as well; nil: the recorder watches by itself. Of what the hub
	// watches only that is recorded of which Keep approves, given the namespace of an object, or its name where it has none.
	// Keep is required with a hub.
	Hub  *Hub
	Keep func(scope string) bool
	// Source of a resource's objects; nil, or one that it returns nil for: the API server. What a record ends with is compared with the API server's lists
	// whatever its source.
	Source func(schema.GroupVersionResource) Source
	// Clock; nil is the machine's.
	Clock Clock
	// FlushEvery is how long an event may stay in the buffer (default 1 s): what a kill can cost.
	FlushEvery time.Duration
	// MaxLag is how many events a subscriber may leave unread before it is cut off (default 1,000,000).
	MaxLag int64
	// OnError is told the first error of writing, once, from a goroutine of the recorder. May be nil.
	OnError func(error)
	// RetryAfter is the pause before a broken watch or a failed list is tried again (default 100 ms).
	RetryAfter time.Duration
}

// Optional are resources worth recording wherever they are served, beside those a dialect reads.
func Optional() []schema.GroupVersionResource {
	return []schema.GroupVersionResource{
		{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "workloads"},
		{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"},
		{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"},
		{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"},
		{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
		{Group: "batch", Version: "v1", Resource: "jobs"},
	}
}

// Always recorded.
var always = []schema.GroupVersionResource{
	{Version: "v1", Resource: "pods"},
	{Version: "v1", Resource: "nodes"},
}

// Clock tells the time.
type Clock interface {
	// Wall is the time of day. Mono is the time since Header.Started; it never steps.
	Wall() time.Time
	Mono() time.Duration
}

// machineClock is the machine's clock. Go's time.Since reads the monotonic clock; before is how long ago the history
// had started when the clock was made.
type machineClock struct {
	start  time.Time
	before time.Duration
}

func (c machineClock) Wall() time.Time     { return time.Now() }
func (c machineClock) Mono() time.Duration { return c.before + time.Since(c.start) }

func (o *Options) fillIn() {
	now := time.Now()
	if o.Clock != nil {
		now = o.Clock.Wall()
	}
	if o.Header.Started.IsZero() {
		o.Header.Started = now.UTC()
	}
	if o.Clock == nil {
		o.Clock = machineClock{start: now, before: now.Sub(o.Header.Started)}
	}
	if o.FlushEvery <= 0 {
		o.FlushEvery = time.Second
	}
	if o.MaxLag <= 0 {
		o.MaxLag = 1_000_000
	}
	if o.RetryAfter <= 0 {
		o.RetryAfter = 100 * time.Millisecond
	}
}
