package smoke

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func gone(err error) bool { return apierrors.IsNotFound(err) }

func (h *hall) pods(ctx context.Context) []corev1.Pod {
	list, err := h.client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
	h.must(err)
	return list.Items
}

// standing are the pods that have a node and have not ended, by name.
func (h *hall) standing() (names []string) {
	for _, p := range h.pods(h.t.Context()) {
		if p.Spec.NodeName != "" && p.Status.Phase != corev1.PodSucceeded {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// state is what a look at the cluster shows.
type state struct {
	running map[string]int             // members with a node that have not ended, by gang
	in      map[string]map[string]bool // racks of each gang
	free    map[string]int             // devices by rack
}

// look reads the cluster. A device that is given twice, and a constrained gang in two racks, are never right.
func (h *hall) look() state {
	s := state{map[string]int{}, map[string]map[string]bool{}, map[string]int{}}
	for _, rack := range h.racks {
		s.free[rack] += hallDevices
	}
	claims, err := h.client.ResourceV1().ResourceClaims(metav1.NamespaceDefault).List(h.t.Context(), metav1.ListOptions{})
	h.must(err)
	owner := map[string]string{}
	for _, c := range claims.Items {
		if c.Status.Allocation == nil {
			continue
		}
		for _, r := range c.Status.Allocation.Devices.Results {
			device := r.Pool + "/" + r.Device
			if other := owner[device]; other != "" {
				h.t.Fatalf("device %s is given to claims %s and %s", device, other, c.Name)
			}
			owner[device] = c.Name
			s.free[h.racks[r.Pool]]--
		}
	}
	for _, p := range h.pods(h.t.Context()) {
		if p.Spec.NodeName == "" || p.Status.Phase == corev1.PodSucceeded {
			continue
		}
		gang := *p.Spec.SchedulingGroup.PodGroupName
		if s.running[gang]++; s.in[gang] == nil {
			s.in[gang] = map[string]bool{}
		}
		s.in[gang][h.racks[p.Spec.NodeName]] = true
	}
	for name, p := range h.gangs {
		if p.constrained && len(s.in[name]) > 1 {
			h.t.Fatalf("gang %s stands in racks %v", name, slices.Sorted(maps.Keys(s.in[name])))
		}
	}
	return s
}

// rest waits until gangs stand whole or not at all, and nobody waits who fits.
func (h *hall) rest() {
	h.t.Helper()
	await(h.t, "rest", func() bool {
		s := h.look()
		room, most := 0, 0
		for _, n := range s.free {
			room, most = room+n, max(most, n)
		}
		for name, p := range h.gangs {
			n := s.running[name]
			if n != 0 && n != p.size || n == 0 && p.size <= room && (!p.constrained || p.size <= most) {
				return false
			}
		}
		return true
	})
}

// report logs what stands where and what is said of every pod that waits, once the test has failed.
func (h *hall) report() {
	if !h.t.Failed() {
		return
	}
	for _, p := range h.pods(context.Background()) {
		h.t.Logf("pod %s: priority %d, node %q, nominated %q, %s", p.Name, *p.Spec.Priority, p.Spec.NodeName, p.Status.NominatedNodeName, p.Status.Phase)
		for _, c := range p.Status.Conditions {
			if c.Status == corev1.ConditionFalse || c.Type == corev1.DisruptionTarget {
				h.t.Logf("  %s %s: %s", c.Type, c.Reason, c.Message)
			}
		}
	}
}
