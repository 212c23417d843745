package engine

import "fmt"

// ClaimState is how a PersistentVolumeClaim stands to the node that it was told.
type ClaimState uint8

// The states of claims.
const (
	ClaimUnknown ClaimState = iota // bound to a volume of which nothing was heard yet
	ClaimOpen                      // not bound, and does not name the node
	ClaimNames                     // not bound, and names the node
	ClaimBound                     // bound to a volume that the node reaches
	ClaimBroken                    // it will never be of use on that node
)

// Prepared looks at a claim for a pod that is to go to a node once it is bound. why is set for ClaimBroken.
func (e *Engine) Prepared(k Key, node string) (s ClaimState, why string) {
	id, ok := e.byName[node]
	if !ok || !e.nodes[id].exists {
		return ClaimBroken, fmt.Sprintf("node %s is gone", node)
	}
	c := e.claims[k]
	switch {
	case c == nil || !c.exists:
		return ClaimBroken, fmt.Sprintf("PersistentVolumeClaim %s is gone", k)
	case c.leaving:
		return ClaimBroken, fmt.Sprintf("PersistentVolumeClaim %s is being deleted", k)
	case c.volume == "" && c.selected == node:
		return ClaimNames, ""
	case c.volume == "":
		return ClaimOpen, ""
	}
	switch v := e.volumes[c.volume]; {
	case v == nil:
		return ClaimUnknown, ""
	case !e.reaches(v, e.nodes[id]):
		return ClaimBroken, fmt.Sprintf("PersistentVolumeClaim %s was bound to PersistentVolume %s, which node %s does not reach", k, c.volume, node)
	}
	return ClaimBound, ""
}
