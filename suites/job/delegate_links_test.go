package job

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
)

func TestDelegateLinks(t *testing.T) {
	const planned = `{"spec":{"podGroupTemplates":[{"name":"workers","preemptionPolicy":%q}]}}`
	tell := func(composite int, policy, under string) *historytest.Builder {
		b := historytest.New().Try("create tree", "create", "compositepodgroups", tree, history.Response{Code: composite})
		b.Try("create linked", "create", "jobs", "linked", history.Response{Code: 201, UID: "u"})
		b.Basic("g").Pod("a", "g", made{name: "linked"}.pod).Await("the pods of linked", time.Second, true)
		b.Try("group of linked", "patch", "podgroups", "g", ok(`{"metadata":{"name":"g"},"spec":{%s"preemptionPolicy":"PreemptLowerPriority","workloadRef":{"workloadName":"planned"}}}`, under))
		return b.Try("workload of linked", "patch", "workloads", "planned", ok(planned, policy)).Mark("watched")
	}
	judged(t, "job-delegate-links", []story{
		{"under the composite", tell(201, "Never", `"parentCompositePodGroupName":"tree",`), "JOB-043", suites.Pass},
		{"under none", tell(201, "Never", ""), "JOB-043", suites.Fail},
		{"under another", tell(201, "Never", `"parentCompositePodGroupName":"bush",`), "JOB-043", suites.Fail},
		{"no composite", tell(404, "Never", ""), "JOB-043", suites.Inconclusive},
		{"a policy", tell(201, "Never", ""), "JOB-042", suites.Observed},
		{"no policy asked for", tell(201, "", ""), "JOB-042", suites.Inconclusive},
	})
}
