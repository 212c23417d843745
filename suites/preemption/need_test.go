package preemption

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history/historytest"
)

// Stories about whether anything is preempted at all.
func needStories() []told {
	const evicts, part, hopeless, fits = "preemption-gang-evicts-pods", "preemption-only-part-can-make-room", "preemption-hopeless", "preemption-not-needed"
	const below, equals, useless = "preemption-below-quorum", "preemption-equals", "preemption-useless-for-a-pod"
	const strangers, conflicts, two = "preemption-of-strangers", "preemption-of-conflicting-pods", "preemption-two-gangs-one-place"

	full := func() teller {
		b := begin().nodes("one", 1, 2).nodes("many", 3, 1).stands("one-0", "", "one-0", 100).stands("one-1", "", "one-0", 100).
			across("many", "", "many", 3, 100).ready()
		return b.attack("a", "one", 2, 2).attack("b", "many", 3, 3)
	}
	bindOne := func(b teller) teller { return b.bind("a-0", "one-0").bind("a-1", "one-0") }
	bindMany := func(b teller) teller { return b.bind("b-0", "many-0").bind("b-1", "many-1").bind("b-2", "many-2") }
	partly := func() teller {
		b := begin().nodes("basic", 2, 1).nodes("gang", 2, 1)
		for _, w := range []string{"basic", "gang"} {
			b.stands(w+"-low", "", w+"-0", 100).stands(w+"-top", "", w+"-1", 2000)
		}
		b.ready()
		b.Basic("b", historytest.GangPriority(1000)).Pods("b", 2, gpus(1), at(1000), only("basic"))
		return b.attack("g", "gang", 1, 2)
	}
	low := func(n int) teller { return begin().nodes("main", n, 1).across("low", "", "main", n, 100).ready() }
	peers := func() teller {
		b := begin().nodes("main", 4, 1).stands("equal", "", "main-0", 1000).stands("higher", "", "main-1", 2000).
			group("group-high", 1, 1000, historytest.Together).stands("group-high", "group-high", "main-2", 1000).
			group("group-top", 1, 2000, historytest.Together).stands("group-top", "group-top", "main-3", 2000).ready()
		return b.attack("g", "main", 2, 2).comes("p", "main")
	}
	useful := func(topGPUs int) teller {
		b := begin().nodes("main", 2, 2).across("top", "", "main", 2, 2000, gpus(topGPUs)).group("v", 2, 100, historytest.Together).
			across("v", "v", "main", 2, 100).ready()
		b.Pod("p", "", gpus(2), at(1000), only("main"))
		return b
	}
	foreign := func() teller {
		b := begin().nodes("main", 2, 1).stands("other", "", "main-0", 100, historytest.For("another"))
		b.PodIn(neighbour(historytest.Namespace), "elsewhere", gpus(1), at(100), historytest.Placed("main-1"))
		return b.ready().attack("g", "main", 2, 2)
	}
	goneElsewhere := func(b teller) teller { b.EvictIn(neighbour(historytest.Namespace), "elsewhere"); return b }
	port := func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 8080}} }
	shunned := func(p *corev1.Pod) { p.Labels = map[string]string{"app": "shunned"} }
	shuns := func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname,
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "shunned"}}}}}}
	}
	crowd := func(p *corev1.Pod) { p.Labels = map[string]string{"app": "crowd"} }
	spreads := func(p *corev1.Pod) {
		crowd(p)
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelHostname,
			WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "crowd"}}}}
	}
	odd := func() teller {
		b := begin().nodes("port", 1, 2).nodes("apart", 1, 2).nodes("even", 2, 2)
		b = b.stands("holder", "", "port-0", 100, port).stands("shunned", "", "apart-0", 100, shunned).stands("crowd", "", "even-0", 100, crowd)
		b = b.stands("top-0", "", "even-1", 2000).stands("top-1", "", "even-1", 2000)
		return b.ready().attack("p", "port", 1, 1, port).attack("a", "apart", 1, 1, shuns).attack("e", "even", 1, 1, spreads)
	}
	oddly := func(victims ...string) teller { // all are bound for whom somebody went
		b := odd().evict(victims...)
		for victim, p := range map[string][2]string{"holder": {"p-0", "port-0"}, "shunned": {"a-0", "apart-0"}, "crowd": {"e-0", "even-0"}} {
			if slices.Contains(victims, victim) {
				b = b.bind(p[0], p[1])
			}
		}
		return b
	}
	both := func() teller { return low(2).attack("a", "main", 2, 2).attack("b", "main", 2, 2) }
	return []told{
		{evicts, "room is made", bindMany(bindOne(full().evict("one-0", "one-1", "many-0", "many-1", "many-2"))).settled(),
			verdicts{"PRE-001": pass, "PRE-049": pass, "PRE-060": pass}},
		{evicts, "on one node alone", bindOne(full().evict("one-0", "one-1")).inVain(), verdicts{"PRE-001": pass, "PRE-049": fail, "PRE-060": pass}},
		{evicts, "on none", full().inVain(), verdicts{"PRE-001": fail, "PRE-049": fail, "PRE-060": unclear}},
		{evicts, "without a word", func() *historytest.Builder {
			b := full().evict("one-0", "many-0", "many-1", "many-2")
			b.Deleting("one-1").Gone("one-1")
			return bindMany(bindOne(b)).settled()
		}(), verdicts{"PRE-001": pass, "PRE-049": pass, "PRE-060": fail}},

		{part, "one each", partly().evict("basic-low", "gang-low").bind("b-0", "basic-0").bind("g-0", "gang-0").watched(), verdicts{"PRE-002": pass, "PRE-045": pass}},
		{part, "the higher one goes too", partly().evict("basic-low", "gang-low", "gang-top").bind("b-0", "basic-0").bind("g-0", "gang-0").bind("g-1", "gang-1").watched(),
			verdicts{"PRE-002": pass, "PRE-045": fail}},
		{part, "the basic group waits", partly().evict("gang-low").bind("g-0", "gang-0").watched(), verdicts{"PRE-002": fail, "PRE-045": pass}},

		{hopeless, "nobody is touched", low(3).attack("g", "main", 4, 4).watched(), verdicts{"PRE-003": pass}},
		{hopeless, "they die in vain", low(3).attack("g", "main", 4, 4).evict("low-0", "low-1", "low-2").watched(), verdicts{"PRE-003": fail}},
		{hopeless, "it would have fitted", low(3).attack("g", "main", 3, 3).watched(), verdicts{"PRE-003": unclear}},

		{fits, "beside it", begin().nodes("main", 3, 1).stands("low", "", "main-0", 100).ready().attack("g", "main", 2, 2).bind("g-0", "main-1").bind("g-1", "main-2").settled(),
			verdicts{"PRE-004": pass}},
		{fits, "in its place", begin().nodes("main", 3, 1).stands("low", "", "main-0", 100).ready().attack("g", "main", 2, 2).evict("low").bind("g-0", "main-0").bind("g-1", "main-2").settled(),
			verdicts{"PRE-004": fail}},

		{below, "nobody is touched", low(2).attack("g", "main", 2, 1).watched(), verdicts{"PRE-005": pass}},
		{below, "one is", low(2).attack("g", "main", 2, 1).evict("low-0").watched(), verdicts{"PRE-005": fail}},

		{equals, "nobody is touched", peers().watched(), verdicts{"PRE-006": pass}},
		{equals, "an equal is", peers().evict("equal").watched(), verdicts{"PRE-006": fail}},
		{equals, "a group of equals is", peers().evict("group-high").watched(), verdicts{"PRE-006": fail}},

		{useless, "nobody is touched", useful(1).watched(), verdicts{"PRE-025": pass}},
		{useless, "the group goes", useful(1).evict("v-0", "v-1").watched(), verdicts{"PRE-025": fail}},

		{strangers, "both go", goneElsewhere(foreign().evict("other")).bind("g-0", "main-0").bind("g-1", "main-1").settled(), verdicts{"PRE-013": pass}},
		{strangers, "the gang waits", foreign().inVain(), verdicts{"PRE-013": fail}},

		{conflicts, "both go", oddly("holder", "shunned", "crowd").settled(), verdicts{"PRE-048": pass}},
		{conflicts, "the port is not seen", oddly("shunned", "crowd").inVain(), verdicts{"PRE-048": fail}},
		{conflicts, "the spread is not seen", oddly("holder", "shunned").inVain(), verdicts{"PRE-048": fail}},

		{two, "one of them", both().evict("low-0", "low-1").bind("b-0", "main-0").bind("b-1", "main-1").watched(), verdicts{"PRE-054": pass}},
		{two, "a part of each", both().evict("low-0", "low-1").bind("b-0", "main-0").bind("a-1", "main-1").watched(), verdicts{"PRE-054": fail}},
		{two, "neither", both().watched(), verdicts{"PRE-054": fail}},
	}
}
