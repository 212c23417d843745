package measure

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/suites/history"
)

// What the algorithm took, of a pod and of a group.
const (
	podAlgorithm   = "scheduler_scheduling_algorithm_duration_seconds"
	groupAlgorithm = "scheduler_podgroup_scheduling_algorithm_duration_seconds"
)

// Histograms are the scheduler's own, under the names upstream gives them. A scheduler that has none of them is none the
// worse for it.
var Histograms = []string{
	"scheduler_scheduling_attempt_duration_seconds",
	podAlgorithm,
	"scheduler_podgroup_scheduling_attempt_duration_seconds",
	groupAlgorithm,
	"scheduler_pod_scheduling_sli_duration_seconds",
	"scheduler_framework_extension_point_duration_seconds",
	"scheduler_preemption_evaluation_duration_seconds",
	"scheduler_preemption_execution_duration_seconds",
	"scheduler_placement_evaluation_duration_seconds",
}

// Histogram is what one of them saw during the run.
type Histogram struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	// Count of observations and their Mean.
	Count float64       `json:"count"`
	Mean  time.Duration `json:"mean"`
	// Median and P99 are estimated: linear within the bucket they fall into. nil where the observations do not carry
	// them, or where they lie in the last, open bucket.
	Median *time.Duration `json:"median,omitempty"`
	P99    *time.Duration `json:"p99,omitempty"`
}

type bucket struct{ upTo, count float64 }

// histograms of the scheduler, those that saw something, by name and labels.
func histograms(samples []history.At[history.Sample]) []Histogram {
	if scrapes(samples) < 2 {
		return nil
	}
	type whole struct {
		Histogram
		sum     float64
		buckets []bucket
	}
	all := map[string]*whole{}
	for _, name := range Histograms {
		for _, c := range counters(samples, name+"_bucket", name+"_sum", name+"_count") {
			labels := maps.Clone(c.Labels)
			delete(labels, "le")
			key := name + keyOf(labels)
			w := all[key]
			if w == nil {
				w = &whole{Histogram: Histogram{Name: name, Labels: labels}}
				all[key] = w
			}
			switch {
			case strings.HasSuffix(c.Name, "_sum"):
				w.sum = c.Growth
			case strings.HasSuffix(c.Name, "_count"):
				w.Count = c.Growth
			default:
				if upTo, err := strconv.ParseFloat(c.Labels["le"], 64); err == nil {
					w.buckets = append(w.buckets, bucket{upTo, c.Growth})
				}
			}
		}
	}
	var out []Histogram
	for _, key := range slices.Sorted(maps.Keys(all)) {
		w := all[key]
		if w.Count <= 0 {
			continue
		}
		w.Mean = time.Duration(w.sum / w.Count * float64(time.Second))
		w.Median, w.P99 = quantile(w.buckets, w.Count, 0.5), quantile(w.buckets, w.Count, 0.99)
		out = append(out, w.Histogram)
	}
	return out
}

func keyOf(labels map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		b.WriteString("," + k + "=" + labels[k])
	}
	return b.String()
}

// quantile estimated from cumulative buckets.
func quantile(buckets []bucket, count, q float64) *time.Duration {
	if !Carries(int(count), q) {
		return nil
	}
	slices.SortFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.upTo, b.upTo) })
	rank := q * count
	from, below := 0.0, 0.0
	for _, b := range buckets {
		if b.count >= rank && b.count > below {
			if math.IsInf(b.upTo, 1) {
				return nil
			}
			d := time.Duration((from + (b.upTo-from)*(rank-below)/(b.count-below)) * float64(time.Second))
			return &d
		}
		from, below = b.upTo, b.count
	}
	return nil
}

// Solving is the time the scheduler's algorithm took in all, by its own histograms of it; 0 where it has none. There is one of
// pods and one of groups, and a scheduler may count what it did for a group's members in both: the larger total stands.
func (r *Result) Solving() time.Duration {
	total := map[string]time.Duration{}
	for _, h := range r.Histograms {
		if h.Name == podAlgorithm || h.Name == groupAlgorithm {
			total[h.Name] += time.Duration(h.Count * float64(h.Mean))
		}
	}
	return max(total[podAlgorithm], total[groupAlgorithm])
}
