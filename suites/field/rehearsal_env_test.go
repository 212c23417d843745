package field

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/workloads/build"
)

// rehearsal is an Env without a cluster: the driver's actions become a told history, a toy scheduler adds its binds
// after each of them, and time passes only where the driver waits. Drive and Judge can so be tried together, against
// schedulers good and bad. What the scenarios here do not use is missing and panics.
type rehearsal struct {
	suites.Env
	story     *historytest.Builder
	scheduler toy
	pools     map[string]*stage
	// plans are the Workloads that exist; planned says which gang refers to which.
	plans   map[string]bool
	planned map[string]string
}

// stage is a pool of a rehearsal.
type stage struct {
	e    *rehearsal
	spec nodes.Pool
	on   []string
}

func rehearse(s suites.Scenario, scheduler toy) *rehearsal {
	e := &rehearsal{scheduler: scheduler, pools: map[string]*stage{}, plans: map[string]bool{}, planned: map[string]string{}}
	e.story = historytest.New(func(_ *history.Header, scope *history.Scope) {
		for _, p := range s.Needs.Pools {
			scope.Pools[p.Name] = "real-" + p.Name
		}
	})
	for _, p := range s.Needs.Pools {
		e.pools[p.Name] = &stage{e: e, spec: p}
		if err := e.AddNodes(context.Background(), p.Name, p.Count); err != nil {
			panic(err)
		}
	}
	return e
}

func (e *rehearsal) view() *history.View { return e.story.View() }

func (e *rehearsal) state() *history.State {
	v := e.view()
	return v.StateAt(v.Now())
}

// step lets the scheduler act on what there is.
func (e *rehearsal) step() {
	for _, b := range e.scheduler(e.state(), e.complete) {
		e.story.Bind(b.pod, b.node)
	}
}

// complete reports whether the Workload the gang refers to exists, or it refers to none.
func (e *rehearsal) complete(gang string) bool {
	return e.planned[gang] == "" || e.plans[e.planned[gang]]
}

func (e *rehearsal) Pool(name string) suites.Pool { return e.pools[name] }

func (e *rehearsal) CreateGang(_ context.Context, g build.Gang) error {
	e.story.Gang(g.Name, g.Quorum)
	e.planned[g.Name] = g.Workload
	e.step()
	return nil
}

func (e *rehearsal) SetQuorum(_ context.Context, gang string, quorum int32) error {
	e.story.Quorum(gang, quorum)
	e.step()
	return nil
}

func (e *rehearsal) DeleteGang(_ context.Context, gang string) error {
	e.story.GangGone(gang)
	e.step()
	return nil
}

func (e *rehearsal) CreatePods(_ context.Context, pods ...build.Pod) error {
	for _, p := range pods {
		e.story.Pod(p.Name, p.Gang, func(o *corev1.Pod) {
			o.Spec.NodeName = p.NodeName
			o.Spec.NodeSelector = map[string]string{nodes.PoolLabel: e.pools[p.Pool].Name()}
			for k, v := range p.NodeSelector {
				o.Spec.NodeSelector[k] = v
			}
			o.Spec.Tolerations = []corev1.Toleration{{Key: nodes.PoolTaint, Operator: corev1.TolerationOpExists}}
		}, historytest.Wants("cpu="+p.CPU, fmt.Sprintf("nvidia.com/gpu=%d", p.GPUs)))
		e.step()
	}
	return nil
}

func (e *rehearsal) DeletePods(_ context.Context, names ...string) error {
	e.story.Gone(names...)
	e.step()
	return nil
}

func (e *rehearsal) AddNodes(_ context.Context, pool string, n int) error {
	p := e.pools[pool]
	for range n {
		name := fmt.Sprintf("%s-node-%d", pool, len(p.on))
		p.on = append(p.on, name)
		e.story.Node(name, gpus(p.spec.GPUs), historytest.NodeLabel(nodes.PoolLabel, p.Name()), func(o *corev1.Node) {
			o.Spec.Taints = []corev1.Taint{{Key: nodes.PoolTaint, Value: p.Name(), Effect: corev1.TaintEffectNoSchedule}}
			for _, t := range p.spec.Taints {
				o.Spec.Taints = append(o.Spec.Taints, corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)})
			}
		})
	}
	e.step()
	return nil
}

func (e *rehearsal) PatchNode(_ context.Context, node string, patch []byte, _ ...string) error {
	e.story.ChangeNode(node, func(o *corev1.Node) {
		if err := json.Unmarshal(patch, o); err != nil {
			panic(err)
		}
	})
	e.step()
	return nil
}

// Create knows Workloads.
func (e *rehearsal) Create(_ context.Context, _ schema.GroupVersionResource, obj *unstructured.Unstructured) error {
	e.plans[obj.GetName()] = true
	e.step()
	return nil
}

func (e *rehearsal) Await(_ context.Context, what string, d time.Duration, cond func(*history.View) bool) bool {
	held := cond(e.view())
	if held {
		d = 0
	}
	e.story.Await(what, d, held)
	return held
}

func (e *rehearsal) Hold(_ context.Context, why string, d time.Duration) { e.story.Hold(why, d) }
func (e *rehearsal) Mark(_ context.Context, name string)                 { e.story.Mark(name) }
func (e *rehearsal) Settle(n int) time.Duration                          { return e.view().Settle(n) }
func (e *rehearsal) Prompt(int) time.Duration                            { return time.Second }

func (p *stage) Name() string     { return "real-" + p.spec.Name }
func (p *stage) Spec() nodes.Pool { return p.spec }
func (p *stage) Nodes() []string  { return p.on }

func (p *stage) Slots(s build.Shape) int {
	st, n := p.e.state(), 0
	for _, name := range p.on {
		free := freeOn(st, name)
		for take(free, corev1.ResourceList{"nvidia.com/gpu": *quantity(int64(s.GPUs)), "cpu": *quantity(1), "pods": *quantity(1)}) {
			n++
		}
	}
	return n
}
