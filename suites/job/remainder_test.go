package job

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
)

func TestRemainder(t *testing.T) {
	gpu := historytest.Wants("nvidia.com/gpu=1")
	tell := func(together, bound bool) *historytest.Builder {
		m := made{name: fleet}
		b := historytest.New().Nodes(3, historytest.Has("nvidia.com/gpu=1"))
		b.Try("create "+fleet, "create", "jobs", fleet, history.Response{Code: 201, UID: "uid-of-fleet"}).Gang("g", 2)
		b.Pod("a", "g", gpu, m.pod).Pod("b", "g", gpu, m.pod).Await("the pods of "+fleet, time.Second, true)
		b.Try("group of "+fleet, "patch", "podgroups", "g", ok(`{"metadata":{"name":"g"},"spec":{"schedulingPolicy":{"gang":{"minCount":2}}}}`))
		b.Bind("a", "node-0").Bind("b", "node-1").Mark("running").Finish(corev1.PodSucceeded, "a")
		if together {
			b.Finish(corev1.PodSucceeded, "b")
		}
		b.Pod("c", "g", gpu, m.pod)
		if !together {
			b.Finish(corev1.PodSucceeded, "b")
		}
		b.Mark("one is left")
		if bound {
			b.Bind("c", "node-2")
		}
		return b.Wait(time.Minute).Mark("tried")
	}
	judged(t, "job-remainder", []story{
		{"the last one runs", tell(true, true), "JOB-027", suites.Pass},
		{"the last one waits", tell(true, false), "JOB-027", suites.Fail},
		{"they ended one after the other", tell(false, false), "JOB-027", suites.Inconclusive},
	})
}
