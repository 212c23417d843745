package engine

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// claim is a PersistentVolumeClaim; it is kept as soon as a pod names it.
type claim struct {
	Key
	exists   bool
	leaving  bool      // being deleted
	owner    types.UID // who controls it, if anybody
	volume   string    // bound to
	class    string
	once     bool   // ReadWriteOncePod
	selected string // node of the selected-node annotation
	pods     int    // that name it
	users    int    // of those, the ones placed
	at       tally  // users by node
}

// volume is a PersistentVolume.
type volume struct {
	where *nodeaffinity.LazyErrorNodeSelector // nil: reachable from everywhere
	zones map[string][]string                 // legacy zone and region labels: the node must have one of the values
}

// class is a StorageClass.
type class struct {
	waits      bool // WaitForFirstConsumer
	static     bool // without provisioner
	topologies []corev1.TopologySelectorTerm
}

const (
	selectedNode  = "volume.kubernetes.io/selected-node"
	noProvisioner = "kubernetes.io/no-provisioner"
)

// UpsertClaim tells that a PersistentVolumeClaim exists and what it looks like.
func (e *Engine) UpsertClaim(obj *corev1.PersistentVolumeClaim) {
	c := e.claimFor(Key{obj.Namespace, obj.Name})
	c.exists, c.volume, c.class = true, "", ""
	if obj.Status.Phase == corev1.ClaimBound || obj.Annotations["pv.kubernetes.io/bind-completed"] != "" {
		c.volume = obj.Spec.VolumeName
	}
	if obj.Spec.StorageClassName != nil {
		c.class = *obj.Spec.StorageClassName
	}
	c.leaving, c.owner = obj.DeletionTimestamp != nil, ""
	if o := metav1.GetControllerOfNoCopy(obj); o != nil {
		c.owner = o.UID
	}
	c.once = slices.Contains(obj.Spec.AccessModes, corev1.ReadWriteOncePod)
	c.selected = obj.Annotations[selectedNode]
	e.waiting.changed = true
}

// DeleteClaim tells that a claim is gone.
func (e *Engine) DeleteClaim(k Key) {
	if c := e.claims[k]; c != nil {
		c.exists, c.leaving, c.owner, c.volume, c.selected, c.once = false, false, "", "", "", false
		e.dropClaim(c)
	}
}

// UpsertVolume tells that a PersistentVolume exists and what it looks like.
func (e *Engine) UpsertVolume(obj *corev1.PersistentVolume) {
	v := &volume{}
	if a := obj.Spec.NodeAffinity; a != nil && a.Required != nil {
		v.where = nodeaffinity.NewLazyErrorNodeSelector(a.Required)
	}
	for _, key := range []string{corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion} {
		if value, ok := obj.Labels[key]; ok {
			if v.zones == nil {
				v.zones = map[string][]string{}
			}
			v.zones[key] = strings.Split(value, "__")
		}
	}
	e.volumes[obj.Name] = v
	e.waiting.changed = true
}

// DeleteVolume tells that a PersistentVolume is gone.
func (e *Engine) DeleteVolume(name string) { delete(e.volumes, name) }

// UpsertStorageClass tells that a StorageClass exists and what it looks like.
func (e *Engine) UpsertStorageClass(obj *storagev1.StorageClass) {
	e.classes[obj.Name] = &class{
		waits:      obj.VolumeBindingMode != nil && *obj.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer,
		static:     obj.Provisioner == noProvisioner,
		topologies: obj.AllowedTopologies,
	}
	e.waiting.changed = true
}

// DeleteStorageClass tells that a StorageClass is gone.
func (e *Engine) DeleteStorageClass(name string) { delete(e.classes, name) }

func (e *Engine) claimFor(k Key) *claim {
	c := e.claims[k]
	if c == nil {
		c = &claim{Key: k, at: tally{}}
		e.claims[k] = c
	}
	return c
}

func (e *Engine) dropClaim(c *claim) {
	if !c.exists && c.pods == 0 && e.claims[c.Key] == c {
		delete(e.claims, c.Key)
	}
}

// claimsOf are the claims a pod uses; the first of them, so many, are those of generic ephemeral volumes.
func (e *Engine) claimsOf(p *corev1.Pod) (out []*claim, ephemeral int) {
	for i := range p.Spec.Volumes {
		if v := &p.Spec.Volumes[i]; v.Ephemeral != nil {
			out = append(out, e.claimFor(Key{p.Namespace, p.Name + "-" + v.Name}))
		}
	}
	ephemeral = len(out)
	for i := range p.Spec.Volumes {
		if v := &p.Spec.Volumes[i]; v.PersistentVolumeClaim != nil {
			out = append(out, e.claimFor(Key{p.Namespace, v.PersistentVolumeClaim.ClaimName}))
		}
	}
	return out, ephemeral
}

func (c *claim) use(node, by int32) {
	c.users += int(by)
	c.at.add(node, by)
}

// volumesReady says why a pod may not use its claims now, wherever it goes; the zero Reason if it may.
func (e *Engine) volumesReady(p *pod) Reason {
	for i, c := range p.claims {
		if r := e.ready(c); r.Code != NoReason {
			return r
		}
		if i < int(p.ephemeral) && c.owner != p.uid {
			return Reason{Code: ClaimForeign, Object: c.Key.String(), Detail: p.Key.String()}
		}
	}
	return Reason{}
}

// ready says why no pod may use the claim now; the zero Reason if one may.
func (e *Engine) ready(c *claim) Reason {
	object := c.Key.String()
	switch {
	case !c.exists:
		return Reason{Code: ClaimMissing, Object: object}
	case c.leaving:
		return Reason{Code: ClaimLeaving, Object: object}
	case c.volume != "":
		if e.volumes[c.volume] == nil {
			return Reason{Code: ClaimUnbound, Object: object}
		}
		return Reason{}
	}
	class := e.classes[c.class]
	switch {
	case class == nil || !class.waits:
		return Reason{Code: ClaimUnbound, Object: object}
	case class.static:
		return Reason{Code: Unsupported, Detail: "claim " + c.Name + ", which waits for a first consumer without a provisioner"}
	}
	return Reason{}
}

// restricting are the claims that may forbid nodes. One that is not bound and is named by one pod only forbids none,
// unless its class or annotation does.
func (e *Engine) restricting(claims []*claim) []*claim {
	var out []*claim
	for _, c := range claims {
		v := e.volumes[c.volume]
		switch {
		case c.once, c.volume != "" && (v == nil || v.where != nil || v.zones != nil):
		case c.volume == "" && (c.pods > 1 || c.selected != "" || e.classes[c.class] != nil && len(e.classes[c.class].topologies) > 0):
		default:
			continue
		}
		out = append(out, c)
	}
	return out
}

// claimAllows reports whether a pod that uses the claim may go to the node.
func (e *Engine) claimAllows(c *claim, id int32) bool {
	n := e.nodes[id]
	if c.once && c.users > 0 {
		return false
	}
	if c.volume != "" {
		v := e.volumes[c.volume]
		return v != nil && e.reaches(v, n)
	}
	if c.selected != "" && c.selected != n.name || c.users > 0 && c.at[id] == 0 {
		return false
	}
	class := e.classes[c.class]
	return class == nil || len(class.topologies) == 0 || slices.ContainsFunc(class.topologies, func(t corev1.TopologySelectorTerm) bool {
		return !slices.ContainsFunc(t.MatchLabelExpressions, func(r corev1.TopologySelectorLabelRequirement) bool {
			v, ok := n.labels[r.Key]
			return !ok || !slices.Contains(r.Values, v)
		})
	})
}

func (e *Engine) reaches(v *volume, n *node) bool {
	if v.where != nil {
		e.scratch.Name, e.scratch.Labels = n.name, n.labels
		if ok, err := v.where.Match(&e.scratch); err != nil || !ok {
			return false
		}
	}
	for key, values := range v.zones {
		if has, ok := n.labels[key]; ok && !slices.Contains(values, has) {
			return false
		}
	}
	return true
}

// unbound are the names of the claims that must be bound for the chosen node before the pod is.
func unbound(p *pod) []string {
	var out []string
	for _, c := range p.claims {
		if c.volume == "" {
			out = append(out, c.Name)
		}
	}
	return out
}
