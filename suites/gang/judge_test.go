package gang

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// story is a kittest.Story in short.
type story struct {
	scenario, name string
	tell           *historytest.Builder
	want           verdicts
}

type verdicts = kittest.Verdicts

// Short forms, so that a story's line shows the story.
const (
	pass    = suites.Pass
	fail    = suites.Fail
	unclear = suites.Inconclusive
	seen    = suites.Observed
)

func stories() []story {
	return slices.Concat(quorumStories(), changedQuorumStories(), roomStories(), rivalStories(), placementStories(),
		memberStories(), groupStories(), controllerStories(), eventStories(), departingStories(), metricStories())
}

// inFull are the stories in full.
func inFull() []kittest.Story {
	var all []kittest.Story
	for _, s := range stories() {
		all = append(all, kittest.Story{Scenario: s.scenario, Name: s.name, Tell: s.tell, Want: s.want})
	}
	return all
}

func TestStories(t *testing.T) { kittest.Stories(t, "gang", inFull()) }

// Phrases the stories are told in.

// worker asks for one GPU.
var worker = historytest.Wants("nvidia.com/gpu=1")

// room is n nodes with one GPU each: n slots for workers.
func room(n int) *historytest.Builder {
	return historytest.New().Nodes(n, historytest.Has("nvidia.com/gpu=1"))
}

// watch lets more than the settle bound of any gang of these stories pass between two marks.
func watch(b *historytest.Builder, from, to string) *historytest.Builder {
	return b.Mark(from).Hold(from, time.Minute).Mark(to)
}

// bind binds pods to node-first, node-first+1, ….
func bind(b *historytest.Builder, first int, pods ...string) *historytest.Builder {
	for i, p := range pods {
		b.Bind(p, fmt.Sprintf("node-%d", first+i))
	}
	return b
}

// labelled gives a pod the label app=g and an affinity.
func labelled(a *corev1.Affinity) historytest.PodOption {
	return func(p *corev1.Pod) {
		p.Labels = map[string]string{"app": "g"}
		p.Spec.Affinity = a
	}
}

// on selects nodes by a label.
func on(key, value string) historytest.PodOption {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{key: value} }
}
