package job

import (
	"context"
	"strings"

	batchv1 "k8s.io/api/batch/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
)

// podsOf are the pods of a Job, all incarnations.
func podsOf(v *history.View, job string) []*history.Pod {
	var out []*history.Pod
	for _, p := range v.Pods {
		if p.First != nil && p.First.Labels[batchv1.JobNameLabel] == job {
			out = append(out, p)
		}
	}
	return out
}

// alive are those that exist at the end of what is known.
func alive(pods []*history.Pod) []*history.Pod {
	var out []*history.Pod
	for _, p := range pods {
		if p.Deleting.IsZero() && p.Gone.IsZero() {
			out = append(out, p)
		}
	}
	return out
}

// groupOf is the group that the Job's pods name; empty where they name none.
func groupOf(v *history.View, job string) string {
	for _, p := range podsOf(v, job) {
		if p.Gang != "" {
			return p.Gang
		}
	}
	return ""
}

// started holds once the Job has n living pods.
func started(job string, n int) kit.Cond {
	return func(v *history.View) bool { return len(alive(podsOf(v, job))) >= n }
}

// inspect waits for the Job's pods and records their group and its Workload under "group of NAME" and "workload of NAME".
func inspect(ctx context.Context, env suites.Env, s spec) error {
	group := ""
	env.Await(ctx, "the pods of "+s.name, soon, func(v *history.View) bool {
		group = groupOf(v, s.name)
		return started(s.name, s.atFirst())(v)
	})
	if group == "" {
		return ctx.Err()
	}
	return inspectGroup(ctx, env, s.name, group)
}

// inspectGroup records a group and its Workload.
func inspectGroup(ctx context.Context, env suites.Env, of, group string) error {
	g, err := read(ctx, env, "group of "+of, podGroups, group)
	if err != nil || g == nil {
		return err
	}
	if name, ok := answer.Field(g, "spec.workloadRef.workloadName"); ok {
		_, err = read(ctx, env, "workload of "+of, workloads, name.(string))
	}
	return err
}

// seen is what the record holds of a Job.
type seen struct {
	// uid of the Job; empty: it was not created.
	uid  string
	pods []*history.Pod
	// group and workload as they were read; nil: there was none.
	group, workload answer.Object
}

func look(v *history.View, job string) seen {
	created, _ := v.Try("create " + job)
	s := seen{uid: created.UID, pods: podsOf(v, job)}
	if r, ok := v.Try("group of " + job); ok && r.OK() {
		s.group = answer.Decode(r.Object)
	}
	if r, ok := v.Try("workload of " + job); ok && r.OK() {
		s.workload = answer.Decode(r.Object)
	}
	return s
}

// opened is a case about a Job that has at least n pods.
func opened(v *history.View, id, job string, n int) (*kit.Case, seen) {
	c, s := kit.For(v, id), look(v, job)
	c.Premise(s.uid != "", nil, "job %s was created", job)
	held, _, waited := v.Awaited("the pods of " + job)
	c.Premise(waited, nil, "the pods of %s were waited for", job)
	c.Premise(held && len(s.pods) >= n, nil, "job %s has %d pods (seen: %d)", job, n, len(s.pods))
	if groupOf(v, job) != "" && waited {
		_, read := v.Try("group of " + job)
		c.Premise(read, nil, "the group of %s was read", job)
	}
	if text(s.group, "spec.workloadRef.workloadName") != "" {
		_, read := v.Try("workload of " + job)
		c.Premise(read, nil, "the workload of %s was read", job)
	}
	return c, s
}

// grouped is opened for what is about the group and its Workload: their absence is another requirement's affair.
func grouped(v *history.View, id, job string, n int) (*kit.Case, seen) {
	c, s := opened(v, id, job, n)
	c.Premise(s.group != nil, nil, "the pods of %s have a group", job)
	c.Premise(s.workload != nil, nil, "the group of %s has a workload", job)
	return c, s
}

// inGroup counts the pods that name the group.
func (s seen) inGroup() int {
	n := 0
	name := text(s.group, "metadata.name")
	for _, p := range s.pods {
		if p.Gang != "" && (name == "" || p.Gang == name) {
			n++
		}
	}
	return n
}

// templates are the pod group templates of the Workload.
func (s seen) templates() []answer.Object {
	list, _ := answer.Field(s.workload, "spec.podGroupTemplates")
	items, _ := list.([]any)
	var out []answer.Object
	for _, i := range items {
		if t, ok := i.(answer.Object); ok {
			out = append(out, t)
		}
	}
	return out
}

// text is the string at a path; empty where there is none.
func text(o answer.Object, path string) string {
	v, _ := answer.Field(o, path)
	s, _ := v.(string)
	return s
}

// number is the whole number at a path; 0 where there is none.
func number(o answer.Object, path string) int {
	v, _ := answer.Field(o, path)
	n, _ := v.(float64)
	return int(n)
}

// owned reports how an object is owned by the one with the uid: as its controller, or at all.
func owned(o answer.Object, uid string) (controller, any bool) {
	refs, _ := answer.Field(o, "metadata.ownerReferences")
	for _, r := range list(refs) {
		if text(r, "uid") == uid {
			c, _ := answer.Field(r, "controller")
			return c == true, true
		}
	}
	return false, false
}

func list(v any) []answer.Object {
	items, _ := v.([]any)
	var out []answer.Object
	for _, i := range items {
		if o, ok := i.(answer.Object); ok {
			out = append(out, o)
		}
	}
	return out
}

// kindOf says in a word which policy a group or template has.
func kindOf(o answer.Object) string {
	p, _ := answer.Field(o, "schedulingPolicy")
	policy, _ := p.(answer.Object)
	var kinds []string
	for _, k := range []string{"basic", "gang"} {
		if _, ok := policy[k]; ok {
			kinds = append(kinds, k)
		}
	}
	return strings.Join(kinds, "+")
}

// specOf is an object's spec.
func specOf(o answer.Object) answer.Object {
	s, _ := o["spec"].(answer.Object)
	return s
}
