package devices

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"

	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/oracle"
)

// supply are the devices that were published up to a place, each as pool/device.
func supply(v *history.View, at history.Stamp) map[string]resourceapi.Device {
	out := map[string]resourceapi.Device{}
	for _, a := range v.Actions {
		if a.Value.Action == nil || !strings.HasPrefix(a.Value.Action.Label, published) || !a.Value.Action.Response.OK() || a.Stamp.After(at) {
			continue
		}
		var s resourceapi.ResourceSlice
		if json.Unmarshal(a.Value.Action.Response.Object, &s) != nil {
			continue
		}
		for _, d := range s.Spec.Devices {
			out[s.Spec.Pool.Name+"/"+d.Name] = d
		}
	}
	return out
}

// held are the devices that a claim holds at a place, each as pool/device.
func held(c *history.Claim, at history.Stamp) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, d := range c.AllocationAt(at).Devices() {
		out = append(out, d.Pool+"/"+d.Device)
	}
	return out
}

// claimsOf are the claims that the pods use, each once: what their entries and their status name.
func claimsOf(v *history.View, pods []*history.Pod) []*history.Claim {
	var out []*history.Claim
	seen := map[string]bool{}
	for _, p := range pods {
		for _, name := range p.ClaimNames() {
			if c := v.Claim(p.Namespace + "/" + name); c != nil && !seen[name] {
				seen[name] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// allocated are those of the claims that hold devices at a place.
func allocated(list []*history.Claim, at history.Stamp) []*history.Claim {
	var out []*history.Claim
	for _, c := range list {
		if len(held(c, at)) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// objects names claims the way findings do.
func objects(list []*history.Claim) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = "resourceclaim " + c.Namespace + "/" + c.Name
	}
	return out
}

// who names the consumers that a claim is reserved for at a place.
func who(c *history.Claim, at history.Stamp) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, r := range c.ReservedAt(at) {
		out = append(out, r.Resource+" "+r.Name)
	}
	return out
}

// forGroup reports whether a claim is reserved for the gang (its last incarnation) and nobody else.
func forGroup(v *history.View, c *history.Claim, gang string, at history.Stamp) bool {
	g := v.Gang(gang)
	return c != nil && g != nil && len(c.ReservedAt(at)) == 1 && c.ReservedFor(at, history.ConsumerGroups, g.UID)
}

// standing are the members of the gang that stand on nodes at the mark.
func standing(c *kit.Case, v *history.View, gang, mark string) (history.Stamp, []*history.Pod) {
	at := c.Mark(mark)
	if at.IsZero() {
		return at, nil
	}
	return at, v.BoundAt(gang, at)
}

// bound is the premise that n members of the gang stand on nodes at the mark.
func bound(c *kit.Case, v *history.View, gang, mark string, n int) (history.Stamp, []*history.Pod) {
	at, pods := standing(c, v, gang, mark)
	if at.IsZero() {
		return at, nil
	}
	c.Premise(len(pods) == n, nil, "%d members of gang %s are bound at %q (bound: %d)", n, gang, mark, len(pods))
	return at, pods
}

// exists is the premise that there was a claim of that name.
func exists(c *kit.Case, v *history.View, name string) *history.Claim {
	found := v.Claim(name)
	c.Premise(found != nil, nil, "claim %s was seen", name)
	return found
}

// list is the first few of a list of names, for a message.
func list(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:6], ", "), len(names)-6)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// roomOn is how many of the pods one node takes at a place, for all that the oracle knows: devices aside. They are asked
// about as if they were placed nowhere.
func roomOn(v *history.View, at history.Stamp, node string, pods []*history.Pod) (int, error) {
	if at.IsZero() || len(pods) == 0 {
		return 0, fmt.Errorf("asking about node %s: nothing was asked or no place was reached", node)
	}
	s := v.StateAt(at)
	if s == nil || s.Nodes[node] == nil {
		return 0, fmt.Errorf("node %s is not known there", node)
	}
	var q oracle.Question
	asked := map[string]bool{}
	for _, p := range pods {
		asked[p.UID] = true
		q.Pods = append(q.Pods, p.First)
	}
	var on []*corev1.Pod
	for uid, p := range s.Pods {
		if p.NodeName == node && !asked[uid] {
			on = append(on, p.Now)
		}
	}
	q.Nodes = []oracle.Node{oracle.NodeOf(s.Nodes[node], on...)}
	return q.MaxPlaced()
}
