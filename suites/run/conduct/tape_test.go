package conduct

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/run/plan"
)

// tape writes what a recorder in a busy cluster would: gangs of four pods that come, are bound, run, finish and go, one
// after the other on the same nodes, and a consistent list at the end.
type tape struct {
	t      testing.TB
	out    *history.Writer
	folder *history.Folder
	seq    int64
	rv     int
	mono   time.Duration
	live   map[string][]history.ListedObject // by stream
	// partial leaves one gang bound in part for good.
	partial bool
}

const tapeNodes, gangSize = 64, 4

func newTape(t testing.TB, out *history.Writer, h history.Header) *tape {
	return &tape{t: t, out: out, folder: history.NewFolder(&h), live: map[string][]history.ListedObject{}}
}

func recordHeader(name string) history.Header {
	return history.Header{
		Cluster: "c-1", Name: name, Storage: history.UnknownStorage, Versions: map[string]string{"kube-apiserver": "v1.37.2"},
		Scheduler: history.SchedulerProfile{Name: "s", SchedulerNames: []string{"default-scheduler"}, Dialect: "native", SettleRoot: 10, SettleBase: 5},
		Started:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), MusterInfo: map[string]string{plan.InfoOrigin: plan.InfoRecord},
	}
}

type kind struct{ group, version, resource, kind string }

var (
	podKind   = kind{"", "v1", "pods", "Pod"}
	nodeKind  = kind{"", "v1", "nodes", "Node"}
	groupKind = kind{"scheduling.k8s.io", "v1beta1", "podgroups", "PodGroup"}
)

func (k kind) stream() string { return strings.TrimSuffix("watch:"+k.resource+"."+k.group, ".") }

func (p *tape) event(e history.Event, whole map[string]any) {
	p.seq++
	p.mono += 10 * time.Millisecond
	e.Seq, e.Mono = p.seq, p.mono
	e.Wall = recordHeader("").Started.Add(p.mono)
	f, err := p.folder.Record(e, whole)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.out.Write(&f.Event); err != nil {
		p.t.Fatal(err)
	}
}

// tell writes one form of an object.
func (p *tape) tell(k kind, verb, namespace, name string, whole map[string]any) {
	p.rv++
	uid, rv := k.resource+"-"+name, strconv.Itoa(p.rv)
	meta := map[string]any{"name": name, "uid": uid, "resourceVersion": rv, "creationTimestamp": "2026-03-01T12:00:00Z"}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	whole["metadata"], whole["kind"], whole["apiVersion"] = meta, k.kind, strings.TrimPrefix(k.group+"/"+k.version, "/")
	p.event(history.Event{
		Stream: k.stream(), Origin: history.Watch, Verb: verb, Group: k.group, Version: k.version, Resource: k.resource,
		Namespace: namespace, Name: name, UID: uid, RV: rv,
	}, whole)
	list := p.live[k.stream()]
	switch {
	case verb == history.VerbAdded:
		list = append(list, history.ListedObject{UID: uid, RV: rv})
	default:
		for i := range list {
			if list[i].UID == uid {
				list[i].RV = rv
				if verb == history.VerbDeleted {
					list = append(list[:i], list[i+1:]...)
				}
				break
			}
		}
	}
	p.live[k.stream()] = list
}

func (p *tape) sync(k kind, origin history.Origin) {
	var parts []string
	for _, o := range p.live[k.stream()] {
		parts = append(parts, fmt.Sprintf(`{"uid":%q,"rv":%q}`, o.UID, o.RV))
	}
	p.event(history.Event{Stream: k.stream(), Origin: origin, Verb: history.VerbSync, Group: k.group, Version: k.version,
		Resource: k.resource, RV: strconv.Itoa(p.rv), Object: []byte("[" + strings.Join(parts, ",") + "]")}, nil)
}

func (p *tape) run(events int64) {
	for _, k := range []kind{podKind, nodeKind, groupKind} {
		p.sync(k, history.List)
	}
	for i := range tapeNodes {
		amounts := map[string]any{"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}
		p.tell(nodeKind, history.VerbAdded, "", fmt.Sprintf("node-%d", i), map[string]any{
			"spec": map[string]any{}, "status": map[string]any{"capacity": amounts, "allocatable": amounts,
				"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}})
	}
	for i := 0; p.seq < events; i++ {
		p.gang(i)
	}
	for _, k := range []kind{podKind, nodeKind, groupKind} {
		p.sync(k, history.Closing)
	}
	if err := p.out.Flush(); err != nil {
		p.t.Fatal(err)
	}
}

// gang is the life of one gang.
func (p *tape) gang(i int) {
	name, ns := fmt.Sprintf("g%d", i), fmt.Sprintf("team-%d", i%10)
	group := func(status map[string]any) map[string]any {
		return map[string]any{"spec": map[string]any{"schedulingPolicy": map[string]any{"gang": map[string]any{"minCount": int64(gangSize)}}}, "status": status}
	}
	p.tell(groupKind, history.VerbAdded, ns, name, group(map[string]any{}))
	pods := func(verb string, bound int, phase string, conditions ...any) {
		for m := range gangSize {
			spec := map[string]any{
				"schedulerName": "default-scheduler", "schedulingGroup": map[string]any{"podGroupName": name},
				"nodeSelector": map[string]any{"pool": "a"}, "terminationGracePeriodSeconds": int64(30), "restartPolicy": "Never",
				"containers": []any{map[string]any{"name": "main", "image": "registry.k8s.io/pause:3.10",
					"resources": map[string]any{"requests": map[string]any{"cpu": "1", "nvidia.com/gpu": "1"}, "limits": map[string]any{"nvidia.com/gpu": "1"}}}},
			}
			delete(spec, "nodeSelector")
			if m < bound {
				spec["nodeName"] = fmt.Sprintf("node-%d", (i*gangSize+m)%tapeNodes)
			}
			p.tell(podKind, verb, ns, fmt.Sprintf("%s-%d", name, m), map[string]any{
				"spec": spec, "status": map[string]any{"phase": phase, "conditions": conditions}})
		}
	}
	scheduled := map[string]any{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-03-01T12:00:00Z"}
	pods(history.VerbAdded, 0, "Pending")
	if p.partial && i == 1 {
		pods(history.VerbModified, gangSize-1, "Pending", scheduled)
		return
	}
	pods(history.VerbModified, gangSize, "Pending", scheduled)
	satisfied := func() map[string]any {
		return group(map[string]any{"conditions": []any{map[string]any{"type": "PodGroupInitiallyScheduled", "status": "True", "reason": "Scheduled"}}})
	}
	p.tell(groupKind, history.VerbModified, ns, name, satisfied())
	ready := map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": "2026-03-01T12:00:00Z"}
	pods(history.VerbModified, gangSize, "Running", scheduled, ready)
	pods(history.VerbModified, gangSize, "Succeeded", scheduled)
	pods(history.VerbDeleted, gangSize, "Succeeded", scheduled)
	p.tell(groupKind, history.VerbDeleted, ns, name, satisfied())
}

func writeTape(t testing.TB, file string, events int64, partial bool) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buffered := bufio.NewWriter(f)
	h := recordHeader(strings.TrimSuffix(filepath.Base(file), ".jsonl"))
	w, err := history.NewWriter(buffered, h)
	if err != nil {
		t.Fatal(err)
	}
	p := newTape(t, w, h)
	p.partial = partial
	p.run(events)
	if err := buffered.Flush(); err != nil {
		t.Fatal(err)
	}
}
