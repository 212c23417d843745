package control

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"muster/scheduler/engine"
)

// Metrics count what a Scheduler does. Names that begin with scheduler_ are kube-scheduler's and mean what they mean
// there; what has no counterpart begins with muster_scheduler_.
type Metrics struct {
	Registry *prometheus.Registry

	attempts  *prometheus.CounterVec
	groups    *prometheus.CounterVec
	algorithm prometheus.Histogram
	pending   *prometheus.GaugeVec
	rounds    prometheus.Gauge
	backoffs  prometheus.Gauge
	binding   prometheus.Histogram
	failures  prometheus.Counter
	reserves  *prometheus.CounterVec

	preemptions *prometheus.CounterVec
	victims     prometheus.Histogram // of single pods
	forGroups   prometheus.Histogram
	evaluation  prometheus.Histogram
	execution   prometheus.Histogram
}

// NewMetrics makes them, in a registry of their own that also tells of the process.
func NewMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "scheduler_schedule_attempts_total",
			Help: "Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be scheduled, 'error' that its objects contradict each other. Pods that wait for something else than room are not tried.",
		}, []string{"result"}),
		groups: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "scheduler_podgroup_schedule_attempts_total",
			Help: "Number of attempts to schedule groups that nothing was missing of but room, trees as one, by the result. 'waiting_on_preemption' means that victims end for it, 'error' that its objects contradict each other.",
		}, []string{"result"}),
		algorithm: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "scheduler_scheduling_algorithm_duration_seconds",
			Help: "Time the algorithm took for one attempt, of a pod or a whole group.", Buckets: prometheus.ExponentialBuckets(0.00001, 2, 20),
		}),
		pending: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "scheduler_pending_pods",
			Help: "Number of pending pods, by the queue type: 'active' are about to be tried, 'unschedulable' were tried and wait for an event.",
		}, []string{"queue"}),
		rounds: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "muster_scheduler_rounds", Help: "Number of decisions being carried out."}),
		backoffs: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "muster_scheduler_backoffs", Help: "Number of pods of their own and groups whose last binds failed."}),
		binding: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "muster_scheduler_bind_duration_seconds",
			Help: "Time from a decision to the confirmation of each of its binds.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 16),
		}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "muster_scheduler_bind_failures_total", Help: "Number of pods that were given back because binding them failed."}),
		reserves: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "muster_scheduler_reservations_total",
			Help: "Number of times room was to be kept for the head of those that wait, by the result: 'kept', or 'hopeless' where the emptied cluster would not take it either.",
		}, []string{"result"}),
	}
	m.preemptions = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "muster_scheduler_preemption_plans_total",
		Help: "Number of times victims were looked for, by what was found: 'NoPlan' nobody who helps, 'Wait' who ends anyway is enough, 'Evict' victims.",
	}, []string{"plan"})
	m.victims = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "scheduler_preemption_victims", Help: "Number of selected preemption victims for preemption initiated by a single pod.", Buckets: prometheus.ExponentialBuckets(1, 2, 7)})
	m.forGroups = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "scheduler_workload_preemption_victims", Help: "Number of pods that are evicted for a group or a tree at once.", Buckets: prometheus.ExponentialBuckets(1, 2, 14)})
	m.evaluation = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "muster_scheduler_preemption_evaluation_duration_seconds",
		Help: "Time it took to look for victims.", Buckets: prometheus.ExponentialBuckets(0.00001, 2, 20)})
	m.execution = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "muster_scheduler_preemption_execution_duration_seconds",
		Help: "Time from the choice of victims until the deletion of the last of them was accepted.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 16)})
	m.Registry.MustRegister(m.preemptions, m.victims, m.forGroups, m.groups, m.evaluation, m.execution)
	m.Registry.MustRegister(m.attempts, m.algorithm, m.pending, m.rounds, m.backoffs, m.binding, m.failures, m.reserves,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) solved(d time.Duration) { m.algorithm.Observe(d.Seconds()) }

// attempted counts the pods of a decision. Of pods something else than room is missing of nobody has tried one.
func (m *Metrics) attempted(d engine.Decision) {
	if n := len(d.Placements); n > 0 {
		m.attempts.WithLabelValues("scheduled").Add(float64(n))
	}
	result := "unschedulable"
	if d.Outcome == engine.Error {
		result = "error"
	}
	if n := len(d.Left); n > 0 && d.Outcome != engine.Waiting {
		m.attempts.WithLabelValues(result).Add(float64(n))
	}
}

// decided counts an attempt at a group or a tree, when it is known whether room is being made for it. One of which something
// is missing that no node can give was not tried.
func (m *Metrics) decided(d engine.Decision, preempting bool) {
	switch {
	case d.Root.Kind == engine.KindPod:
	case len(d.Placements) > 0:
		m.groups.WithLabelValues("scheduled").Inc()
	case d.Outcome == engine.Unschedulable && preempting:
		m.groups.WithLabelValues("waiting_on_preemption").Inc()
	case d.Outcome == engine.Unschedulable:
		m.groups.WithLabelValues("unschedulable").Inc()
	case d.Outcome == engine.Error:
		m.groups.WithLabelValues("error").Inc()
	}
}

func (m *Metrics) bound(d time.Duration) { m.binding.Observe(d.Seconds()) }

func (m *Metrics) bindFailed() { m.failures.Inc() }

// planned counts a plan, and the time it took.
func (m *Metrics) planned(p engine.Plan, d time.Duration) {
	m.preemptions.WithLabelValues(p.Kind.String()).Inc()
	m.evaluation.Observe(d.Seconds())
	if p.Kind != engine.Evict {
		return
	}
	victims := m.forGroups
	if p.Root.Kind == engine.KindPod {
		victims = m.victims
	}
	victims.Observe(float64(len(p.Victims)))
}

// reserved counts an attempt to keep room.
func (m *Metrics) reserved(ok bool) {
	result := "hopeless"
	if ok {
		result = "kept"
	}
	m.reserves.WithLabelValues(result).Inc()
}

func (m *Metrics) evictedAll(d time.Duration) { m.execution.Observe(d.Seconds()) }

func (m *Metrics) waiting(active, unschedulable, rounds, backoffs int) {
	m.pending.WithLabelValues("active").Set(float64(active))
	m.pending.WithLabelValues("unschedulable").Set(float64(unschedulable))
	m.rounds.Set(float64(rounds))
	m.backoffs.Set(float64(backoffs))
}
