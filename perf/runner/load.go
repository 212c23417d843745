package runner

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/perf/scenario"
	"muster/workloads/build"
	"muster/workloads/dialect"
)

// The names a run uses. Each run has a cluster of its own, so they need not be unique.
const (
	namespace = "perf"
	pool      = "perf"
	// firstPort is the host port of the first group whose members are to be apart; each such group has one of its own.
	firstPort = 20000
)

// priorityClass that stands for a priority; none for 0, which is what a pod has anyway.
func priorityClass(priority int32) string {
	if priority == 0 {
		return ""
	}
	return fmt.Sprintf("perf-%d", priority)
}

// claimTemplate that stands for a number of devices.
func claimTemplate(devices int) string { return fmt.Sprintf("devices-%d", devices) }

// topologyKeys by the word scenarios use.
var topologyKeys = map[string]string{"": "", "rack": nodes.RackLabel, "zone": nodes.ZoneLabel}

// gang is one group of a load: a gang, a basic group, or so many plain pods.
type gang struct {
	name, parent string
	group        *scenario.Group
	// port on the host that its members share, where they are to be apart; else 0.
	port int32
}

// plain pods have no object of their own.
func (g gang) plain() bool { return g.group.Policy == scenario.Plain }

// load is everything one phase creates, in the order in which it is created.
type load struct {
	phase      *scenario.Phase
	composites []build.Composite
	gangs      []gang
	ports      *int32
}

// loadOf expands a phase. ports is the next host port that no group has; groups of earlier phases stand on the same nodes.
func loadOf(p *scenario.Phase, ports *int32) load {
	l := load{phase: p, ports: ports}
	for i := range p.Groups {
		g := &p.Groups[i]
		for n := range g.Count {
			l.expand(g, fmt.Sprintf("%s-%d", g.Name, n), "", g.Tree)
		}
	}
	return l
}

// expand puts a group at the leaves of a tree: [2, 4] is a composite of two composites of four groups each.
func (l *load) expand(g *scenario.Group, name, parent string, tree []int) {
	if len(tree) == 0 {
		made := gang{name: name, parent: parent, group: g}
		if g.Apart {
			made.port = *l.ports
			*l.ports++
		}
		l.gangs = append(l.gangs, made)
		return
	}
	l.composites = append(l.composites, build.Composite{
		Name: name, Namespace: namespace, Parent: parent, Quorum: int32(tree[0]), PriorityClass: priorityClass(g.Priority),
		Workload: workload, Template: "composite",
	})
	for n := range tree[0] {
		l.expand(g, fmt.Sprintf("%s-%d", name, n), name, tree[1:])
	}
}

// workload that trees and their groups name: the API wants a reference, and no scheduler looks whether it exists.
const workload = "w"

// object to create, and where.
type object struct {
	gvr schema.GroupVersionResource
	obj *unstructured.Unstructured
}

// objects are the groups' own objects, parents before children.
func (l *load) objects(d *dialect.Dialect) ([]object, error) {
	var out []object
	for _, c := range l.composites {
		obj, gvr, err := d.RenderComposite(c)
		if err != nil {
			return nil, err
		}
		out = append(out, object{gvr, obj})
	}
	for _, g := range l.gangs {
		some, err := g.objects(d)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

func (g gang) objects(d *dialect.Dialect) ([]object, error) {
	if g.plain() {
		return nil, nil
	}
	rendered, err := d.Render(g.neutral())
	if err != nil {
		return nil, err
	}
	var out []object
	for _, obj := range rendered {
		gvr, ok := d.ResourceOf(obj.GroupVersionKind())
		if !ok {
			return nil, fmt.Errorf("creating group %s: dialect %s does not say where a %s is created", g.name, d.Name(), obj.GetKind())
		}
		obj.SetNamespace(namespace)
		out = append(out, object{gvr, obj})
	}
	return out, nil
}

// neutral is the gang in no API's words.
func (g gang) neutral() build.Gang {
	out := build.Gang{
		Name: g.name, Namespace: namespace, Quorum: int32(g.group.Quorum), PriorityClass: priorityClass(g.group.Priority),
		TopologyKey: topologyKeys[g.group.Topology], DisruptAll: g.group.DisruptAll, Parent: g.parent,
	}
	if g.group.Policy == scenario.Basic {
		out.Policy, out.Quorum = build.BasicPolicy, 0
	}
	if g.parent != "" {
		out.Workload, out.Template = workload, "group"
	}
	return out
}

// pods of the gang. What equal pods have in common is built once and shared between them: they are only written, and a
// creator must be light.
func (g gang) pods(d *dialect.Dialect, schedulerName string) ([]*corev1.Pod, error) {
	out := make([]*corev1.Pod, 0, g.group.Size())
	for _, shape := range g.group.Pods {
		if shape.Count == 0 {
			continue
		}
		template := g.template(shape, schedulerName)
		if !g.plain() {
			known := g.neutral()
			if err := d.Join(template, g.name, &known); err != nil {
				return nil, err
			}
		}
		for range shape.Count {
			pod := *template
			pod.Name = fmt.Sprintf("%s-%d", g.name, len(out))
			out = append(out, &pod)
		}
	}
	return out, nil
}

// template of the pods of one shape.
func (g gang) template(shape scenario.Pods, schedulerName string) *corev1.Pod {
	p := build.Pod{
		Shape:         build.Shape{CPU: shape.CPU, Memory: shape.Memory, GPUs: shape.GPUs},
		PriorityClass: priorityClass(g.group.Priority),
	}
	if g.port != 0 {
		p.HostPorts = []int32{g.port}
	}
	pod := build.PodObject(p, build.Defaults{Namespace: namespace, SchedulerName: schedulerName})
	if shape.Devices > 0 {
		template := claimTemplate(shape.Devices)
		pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "devices", ResourceClaimTemplateName: &template}}
		pod.Spec.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "devices"}}
	}
	return pod
}
