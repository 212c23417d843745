package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Merge puts several histories together. Those of one cluster become one history: their events are ordered by wall
// clock (each keeps its own order of receipt) and numbered anew, so two recorders on machines with different clocks
// are ordered by receipt only as well as their clocks agree; where storage is one etcd, resource versions order them
// anyway. Histories of several clusters stay apart in Clusters, and a view of a scenario is made from the one in
// which it ran; all events together, marked with their cluster, are in Events for whoever only wants to read them.
func Merge(hs ...*History) (*History, error) {
	if len(hs) == 0 {
		return nil, errors.New("merging histories: there are none")
	}
	var clusters []*History
	byCluster := map[string][]*History{}
	for _, h := range hs {
		parts := h.Clusters
		if len(parts) == 0 {
			parts = []*History{h}
		}
		for _, p := range parts {
			byCluster[p.Header.Cluster] = append(byCluster[p.Header.Cluster], p)
		}
	}
	for _, shards := range byCluster {
		if shards[0].Header.Cluster == "" && len(shards) > 1 {
			return nil, fmt.Errorf("merging histories: %s and %s do not say which cluster they are of", shards[0].Name, shards[1].Name)
		}
		clusters = append(clusters, mergeShards(shards))
	}
	slices.SortFunc(clusters, func(a, b *History) int {
		return cmp.Or(a.Header.Started.Compare(b.Header.Started), strings.Compare(a.Header.Cluster, b.Header.Cluster))
	})
	if len(clusters) == 1 {
		return clusters[0], nil
	}
	out := &History{Header: Header{Kind: HeaderKind, Format: FormatVersion, Storage: UnknownStorage,
		Seed: clusters[0].Header.Seed, Scheduler: clusters[0].Header.Scheduler, Started: clusters[0].Header.Started}}
	out.Clusters, out.Name = clusters, names(clusters)
	out.Events = interleave(clusters, out.Header, func(e *Event, h *History) {
		e.Cluster = h.Header.Cluster
		e.Stream = h.Header.Cluster + "/" + e.Stream
	})
	return out, nil
}

// mergeShards merges histories of one cluster.
func mergeShards(shards []*History) *History {
	if len(shards) == 1 {
		return shards[0]
	}
	slices.SortStableFunc(shards, func(a, b *History) int { return a.Header.Started.Compare(b.Header.Started) })
	out := &History{Header: shards[0].Header, Name: names(shards)}
	used := map[string]int{}
	for _, s := range shards {
		used[s.Header.Name]++
		if s.Header.Storage != SingleEtcd {
			out.Header.Storage = s.Header.Storage
		}
	}
	index := map[*History]int{}
	for i, s := range shards {
		index[s] = i
	}
	out.Events = interleave(shards, out.Header, func(e *Event, h *History) {
		e.Cluster = h.Header.Cluster
		// A patch changes what its own stream showed last, so streams must not be mixed up.
		e.Stream = h.Header.Name + "/" + e.Stream
		if used[h.Header.Name] > 1 {
			e.Stream = fmt.Sprintf("%d/%s", index[h], e.Stream)
		}
	})
	return out
}

// interleave merges the events by wall clock. Where events of one history are missing (its numbers jump), the new
// numbers jump as well, so that the gap stays one.
func interleave(hs []*History, header Header, mark func(*Event, *History)) []Event {
	var out []Event
	next := make([]int, len(hs))
	last := make([]int64, len(hs))
	var seq int64
	for {
		pick := -1
		for i, h := range hs {
			if next[i] == len(h.Events) {
				continue
			}
			if pick < 0 || h.Events[next[i]].Wall.Before(hs[pick].Events[next[pick]].Wall) {
				pick = i
			}
		}
		if pick < 0 {
			return out
		}
		h := hs[pick]
		e := h.Events[next[pick]]
		next[pick]++
		step := e.Seq - last[pick]
		if h.Header.Slice != "" {
			step = 1
		}
		last[pick] = e.Seq
		seq += max(step, 1)
		e.Seq = seq
		shift := h.Header.Started.Sub(header.Started)
		e.Mono += shift
		if e.Action != nil {
			a := *e.Action
			a.SentMono += shift
			e.Action = &a
		}
		mark(&e, h)
		out = append(out, e)
	}
}

func names(hs []*History) string {
	all := make([]string, len(hs))
	for i, h := range hs {
		all[i] = h.Name
	}
	return strings.Join(all, ", ")
}
