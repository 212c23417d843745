package job

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-ordinary", Profile: "job",
		Summary:      "Jobs that say nothing about scheduling start: with a dot in their name, with a long name, of a system class, of a class that never preempts.",
		Requirements: []string{"JOB-029", "JOB-030", "JOB-031", "JOB-040"},
		Weight:       12,
		Drive:        driveOrdinary,
		Judge:        judgeOrdinary,
	})
}

// systemClass is a priority class that every cluster has.
const systemClass = "system-cluster-critical"

// patience is how long an ordinary Job is given to have its pod; the Job beside it needs a fraction of a second.
const patience = 10 * time.Second

var (
	usual  = spec{name: "usual", parallelism: 1}
	dotted = spec{name: "v1.2-import", parallelism: 1}
	long   = spec{name: strings.Repeat("a-long-name-", 5) + "end", parallelism: 1} // 63 characters, as many as a label takes
	system = spec{name: "system", parallelism: 1, pod: `"priorityClassName":"` + systemClass + `",`}
)

func polite(class string) spec {
	return spec{name: "polite", parallelism: 1, pod: fmt.Sprintf(`"priorityClassName":%q,`, class)}
}

func driveOrdinary(ctx context.Context, env suites.Env) error {
	class := env.Namespace() + "-never"
	if _, err := env.Try(ctx, "create the class", suites.Attempt{Verb: "create", GVR: classes, ClusterScoped: true,
		Object: &unstructured.Unstructured{Object: answer.Object{
			"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": answer.Object{"name": class},
			"value": int64(10), "preemptionPolicy": "Never",
		}}}); err != nil {
		return err
	}
	if err := answer.Insist(ctx, env, "the class is known", answer.Create(podGroups, answer.Object{
		"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": answer.Object{},
		"spec": answer.Object{"schedulingPolicy": answer.Object{"basic": answer.Object{}}, "priorityClassName": class, "preemptionPolicy": "Never"},
	})); err != nil {
		return err
	}
	for _, p := range []string{systemClass, class} {
		if err := bare(ctx, env, p); err != nil {
			return err
		}
	}
	all := []spec{usual, dotted, long, system, polite(class)}
	if err := create(ctx, env, all...); err != nil {
		return err
	}
	var conds []kit.Cond
	for _, s := range all {
		conds = append(conds, started(s.name, 1))
	}
	env.Await(ctx, "every job has its pod", patience, kit.All(conds...))
	env.Mark(ctx, "waited")
	return ctx.Err()
}

// bare tries whether a pod of the class is accepted when no Job is in between: else it is not the Job's fault.
func bare(ctx context.Context, env suites.Env, class string) error {
	label := "a bare pod of " + strings.TrimPrefix(class, env.Namespace()+"-")
	_, err := env.Try(ctx, label, suites.Attempt{Verb: "create", GVR: pods, Object: &unstructured.Unstructured{Object: answer.Object{
		"apiVersion": "v1", "kind": "Pod", "metadata": answer.Object{"generateName": "bare-"},
		"spec": parse(fmt.Sprintf(`{"priorityClassName":%q,"schedulingGates":[{"name":"muster.dev/held"}],"containers":[{"name":"main","image":"registry.k8s.io/pause:3.10"}]}`, class)),
	}}})
	return err
}

func judgeOrdinary(v *history.View) []suites.Finding {
	return []suites.Finding{
		judgeStarted(v, "JOB-029", dotted.name, "with a dot in its name", ""),
		judgeStarted(v, "JOB-030", system.name, "whose pods have a system class", systemClass),
		judgeStarted(v, "JOB-031", "polite", "whose pods have a class that never preempts", "never"),
		judgeStarted(v, "JOB-040", long.name, "with a name of 63 characters", ""),
	}
}

// judgeStarted: the Job has its pod, as the usual one beside it has. class is that of its pods, which a bare pod may have.
func judgeStarted(v *history.View, id, job, which, class string) suites.Finding {
	c := kit.For(v, id)
	if class != "" {
		r, ok := v.Try("a bare pod of " + class)
		c.Premise(ok && r.OK(), nil, "a bare pod of the class was accepted")
	}
	r, ok := v.Try("create " + job)
	c.Premise(ok && r.OK(), nil, "job %s was created", job)
	at := c.Mark("waited")
	have := func(job string) int {
		n := 0
		for _, p := range podsOf(v, job) {
			if !p.Created.After(at) {
				n++
			}
		}
		return n
	}
	c.Premise(have(usual.name) == 1, nil, "the usual job has its pod")
	return c.Holds(have(job) == 1, "%s after its creation a job %s has %d of 1 pods", patience, which, have(job))
}
