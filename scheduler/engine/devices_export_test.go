package engine

import (
	"fmt"
	"slices"
)

// checkDevices compares what is kept of claims with what follows from pods and objects.
func (e *Engine) checkDevices() error {
	users := map[*deviceClaim]int{}
	for _, p := range e.pods {
		for _, u := range p.uses {
			if u.claim == nil {
				continue
			}
			if e.devices.claims[u.claim.Key] != u.claim || !slices.Contains(u.claim.pods, p) {
				return fmt.Errorf("pod %s uses claim %s, which does not know of it", p.Key, u.claim.Key)
			}
			if p.holds {
				users[u.claim]++
			}
		}
		if p.phase != pending && p.phase != gated {
			continue
		}
		was := p.shape
		e.fit(p)
		if p.shape != was {
			return fmt.Errorf("pod %s has a shape that its claims do not make", p.Key)
		}
	}
	for k, c := range e.devices.claims {
		if c.users != users[c] || c.tenant != nil || c.lent {
			return fmt.Errorf("claim %s: %d users, want %d; tried %v, lent %v", k, c.users, users[c], c.tenant != nil, c.lent)
		}
		if held := e.devices.Held(c.holding()); held != c.settled() {
			return fmt.Errorf("claim %s holds %v, should %v", k, held, c.settled())
		}
		if c.obj == nil && len(c.pods) == 0 && c.assumed == nil {
			return fmt.Errorf("claim %s is kept for nobody", k)
		}
	}
	if e.devices.slipped {
		return fmt.Errorf("a device that was counted could not be handed out")
	}
	return nil
}
