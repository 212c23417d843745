package history

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/workloads/settle"
)

// FormatVersion of the JSON lines. A reader accepts this and older versions, and says so about a newer one.
const FormatVersion = 1

// Storage says whether resource versions order events across resources.
type Storage string

const (
	SingleEtcd     Storage = "single-etcd"
	UnknownStorage Storage = "unknown"
)

// Header is the first line of a history file ("kind":"muster/history").
type Header struct {
	Kind     string            `json:"kind"` // HeaderKind
	Format   int               `json:"format"`
	Cluster  string            `json:"cluster"` // UID of the kube-system namespace
	Name     string            `json:"name"`    // the shard's name: main, or the scenario with a cluster of its own
	Storage  Storage           `json:"storage"`
	Versions map[string]string `json:"versions,omitempty"`
	Gates    map[string]bool   `json:"gates,omitempty"`
	// SchedulerGates are those that a scenario with a cluster of its own had switched for the scheduler alone.
	SchedulerGates map[string]bool   `json:"schedulerGates,omitempty"`
	Seed           int64             `json:"seed"`
	Scheduler      SchedulerProfile  `json:"scheduler"`
	Started        time.Time         `json:"started"`
	MusterInfo     map[string]string `json:"muster,omitempty"`
	// Slice is set on a selection of a longer history (see History.Slice): the scenario it was cut out for. Its events
	// keep their numbers.
	Slice string `json:"slice,omitempty"`
}

// HeaderKind marks a header line.
const HeaderKind = "muster/history"

// SchedulerProfile is what is known about the scheduler under test (design §1): data, also in the report.
type SchedulerProfile struct {
	Name           string   `json:"name"`
	Version        string   `json:"version,omitempty"`
	SchedulerNames []string `json:"schedulerNames"`
	// Dialect names the API it speaks (native).
	Dialect string `json:"dialect"`
	// Unsupported are features the user declares unsupported (requirement IDs or profile names).
	Unsupported []string `json:"unsupported,omitempty"`
	// Settle bound of a group of m members = SettleRoot × √m + SettleBase (seconds).
	SettleRoot float64 `json:"settleRoot"`
	SettleBase float64 `json:"settleBase"`
	// Who is judged.
	Organization string `json:"organization,omitempty"`
	Project      string `json:"project,omitempty"`
	URL          string `json:"url,omitempty"`
	Contact      string `json:"contact,omitempty"`
}

// Settle is the settle bound for a group of the given size.
func (p SchedulerProfile) Settle(members int) time.Duration {
	return settle.Bound(p.SettleRoot, p.SettleBase, members)
}

// Origin says how an event came to be known.
type Origin string

const (
	Watch    Origin = "watch"
	List     Origin = "list"
	Relist   Origin = "relist"
	Driver   Origin = "driver"
	Sampling Origin = "sample"
	// Closing events are the closing consistent list a complete history ends with: one "sync" event per resource
	// whose Object is the list of {uid, rv}; the fold must agree with it.
	Closing Origin = "closing"
)

// Verbs of watch, list and relist events are added, modified, deleted, error, sync. Driver events carry
// the driver's own verb: create, get, update, patch, delete, bind, mark, begin, end, await, hold, stop-scheduler,
// start-scheduler, break, mend, strike, calls, metrics. Samples carry process, metrics, canary, crash, exit.
const (
	VerbAdded     = "added"
	VerbModified  = "modified"
	VerbDeleted   = "deleted"
	VerbError     = "error" // the watch broke and cannot go on (410, ERROR event); Name says why
	VerbSync      = "sync"
	VerbCreate    = "create"
	VerbGet       = "get"
	VerbUpdate    = "update"
	VerbPatch     = "patch"
	VerbDelete    = "delete"
	VerbList      = "list" // of all objects of a kind in a namespace; what came back is Response.Object
	VerbBind      = "bind"
	VerbMark      = "mark"
	VerbBegin     = "begin"
	VerbEnd       = "end"
	VerbAwait     = "await"
	VerbHold      = "hold"
	VerbStop      = "stop-scheduler"
	VerbStart     = "start-scheduler"
	VerbBreak     = "break"   // a fault is in force from here; Name is the rule's
	VerbMend      = "mend"    // and taken back here
	VerbStrike    = "strike"  // a request of the scheduler was struck by the rule Name
	VerbCalls     = "calls"   // how many requests the scheduler had made, as JSON in Response.Object
	VerbMetrics   = "metrics" // what the process Action.Label served, series → value, as JSON in Response.Object
	VerbProcess   = "process"
	VerbCanary    = "canary"
	VerbCrash     = "crash"
	VerbSchedExit = "exit" // the scheduler ended because the driver told it to
)

// Event is one line.
type Event struct {
	// Seq is the order of receipt over all streams of this file, from 1.
	Seq int64 `json:"seq"`
	// Stream names the watch, or driver:<scenario>, or sample:<process>.
	Stream string    `json:"stream"`
	Origin Origin    `json:"origin"`
	Wall   time.Time `json:"wall"`
	// Mono is nanoseconds since Header.Started on the recorder's monotonic clock.
	Mono time.Duration `json:"mono"`
	// Cluster is set only in merged histories.
	Cluster  string `json:"cluster,omitempty"`
	Group    string `json:"group,omitempty"`
	Version  string `json:"version,omitempty"`
	Resource string `json:"resource,omitempty"`
	Verb     string `json:"verb"`
	// Namespace and Name of the object; for a mark, Name is the mark.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	UID       string `json:"uid,omitempty"`
	// RV is the resource version of the object after the event (for a deletion: of the deletion).
	RV string `json:"rv,omitempty"`
	// Prev is set with Patch: the resource version of the form that is patched, so that an event that is missing in
	// between is seen. Histories that are older than the field lack it.
	Prev string `json:"prev,omitempty"`
	// After is set in slices, on events that have no resource version of their own: the one behind which they lie in
	// the total order of the whole history.
	After string `json:"after,omitempty"`
	// Object is the whole object; Patch a JSON merge patch against the last object of this uid in this stream.
	// At most one of them is set. Secrets and environment values are never stored.
	Object json.RawMessage `json:"object,omitempty"`
	Patch  json.RawMessage `json:"patch,omitempty"`
	// Action is set on driver events.
	Action *Action `json:"action,omitempty"`
	// Sample is set on samples.
	Sample *Sample `json:"sample,omitempty"`

	// body is Object or Patch decoded, pod the pod that an Object is (see Preparer); nil: not yet.
	body map[string]any
	pod  *corev1.Pod
}

// Action is what the driver did and what came back.
type Action struct {
	// Scenario on whose behalf.
	Scenario string `json:"scenario,omitempty"`
	// Label names the action for the Judge (Env.Try), or the condition waited for, or why it held.
	Label       string   `json:"label,omitempty"`
	Subresource string   `json:"subresource,omitempty"`
	Response    Response `json:"response"`
	// SentWall/SentMono is when the request was sent; the event's own time is when the response came.
	SentWall time.Time     `json:"sentWall"`
	SentMono time.Duration `json:"sentMono"`
	// Scope is set on begin: what belongs to the scenario.
	Scope *Scope `json:"scope,omitempty"`
	// Held says how an await ended (true: the condition held).
	Held *bool `json:"held,omitempty"`
	// Node is set on bind.
	Node string `json:"node,omitempty"`
}

// Response of the API server.
type Response struct {
	Code   int      `json:"code,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Causes []string `json:"causes,omitempty"` // "field: type: message"
	// Message is kept for people; judges never read it.
	Message string `json:"message,omitempty"`
	RV      string `json:"rv,omitempty"`
	UID     string `json:"uid,omitempty"`
	// Object is what came back, for Try.
	Object json.RawMessage `json:"object,omitempty"`
}

// OK reports a 2xx answer.
func (r Response) OK() bool { return r.Code >= 200 && r.Code < 300 }

// Scope says what belongs to a scenario. It is recorded, so that a stored history can be judged by scenario.
type Scope struct {
	Scenario   string   `json:"scenario"`
	Namespaces []string `json:"namespaces"`
	// Pools are real pool names (nodes carry them in the label muster.dev/pool): short name → real name.
	Pools map[string]string `json:"pools,omitempty"`
	// Names maps other short names (priority classes, topology keys) to their real ones: "priorityclass/high" → ….
	Names map[string]string `json:"names,omitempty"`
	Seed  int64             `json:"seed"`
	// Settle bound in force (root, base), when the user overrode the profile's.
	SettleRoot float64 `json:"settleRoot,omitempty"`
	SettleBase float64 `json:"settleBase,omitempty"`
	Isolation  string  `json:"isolation,omitempty"`
}

// ProcessScheduler is the process name of the scheduler under test in samples.
const ProcessScheduler = "scheduler"

// Sample is a measurement of a process, or its end.
type Sample struct {
	Process string `json:"process"` // scheduler, kube-apiserver, …
	PID     int    `json:"pid,omitempty"`
	// CPU is user+system time used since the process started; RSS in bytes.
	CPU time.Duration `json:"cpu,omitempty"`
	RSS int64         `json:"rss,omitempty"`
	// Canary is the bind latency of a canary pod.
	Canary time.Duration `json:"canary,omitempty"`
	// Exit says how a process ended; Log is the tail of its log.
	Exit string   `json:"exit,omitempty"`
	Log  []string `json:"log,omitempty"`
	// Metrics are scraped values.
	Metrics map[string]float64 `json:"metrics,omitempty"`
}
