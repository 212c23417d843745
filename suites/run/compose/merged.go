package compose

import (
	"fmt"

	"muster/suites/history"
	"muster/suites/run/plan"
)

// merged puts the records together that are of one cluster and hold no scenarios: several recorders, or one that was
// started again. Other histories stay as they are, and so do records of different clusters.
func merged(histories []*history.History) ([]*history.History, error) {
	var out []*history.History
	shards := map[string][]*history.History{}
	at := map[string]int{}
	for _, h := range histories {
		id := h.Header.Cluster
		if h.Header.MusterInfo[plan.InfoOrigin] != plan.InfoRecord || id == "" {
			out = append(out, h)
			continue
		}
		if _, seen := at[id]; !seen {
			at[id] = len(out)
			out = append(out, nil)
		}
		shards[id] = append(shards[id], h)
	}
	for id, of := range shards {
		for _, h := range of[1:] {
			if err := sameRun(of[0], h); err != nil {
				return nil, &history.Problem{Name: h.Name, Line: 1, Err: err}
			}
		}
		h, err := history.Merge(of...)
		if err != nil {
			return nil, fmt.Errorf("putting the records of cluster %s together: %w", id, err)
		}
		out[at[id]] = h
	}
	return out, nil
}
