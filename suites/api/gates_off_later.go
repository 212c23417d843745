package api

import (
	"context"
	"fmt"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-gates-off-later", Profile: "api",
		Summary:      "Objects have fields of gates that are switched off at a restart of the API server; then they are changed in other ways.",
		Requirements: answer.IDs(storedBefore),
		Needs:        suites.Needs{NoScheduler: true, Capabilities: []string{suites.RestartComponents}},
		Isolation:    suites.OwnCluster,
		Weight:       30,
		Drive:        driveGatesOffLater,
		Judge:        func(v *history.View) []suites.Finding { return answer.Judge(v, storedRows()) },
	})
}

// gated is a field of a PodGroup or a Job that comes with a gate of its own.
type gated struct {
	// id of the requirement; name of the object that has it.
	id, name string
	// field in the spec; value and another one, as JSON; more of the spec, which the field needs beside it.
	field, value, other, more string
	// job: it is a Job's.
	job bool
}

var gatedFields = []gated{
	{"API-088", "placed", "schedulingConstraints", `{"topology":[{"key":"rack"}]}`, `{"topology":[{"key":"zone"}]}`, "", false},
	{"API-089", "claiming", "resourceClaims", `[{"name":"c","resourceClaimName":"one"}]`, `[{"name":"c","resourceClaimName":"two"}]`, "", false},
	{"API-090", "child", "parentCompositePodGroupName", `"p"`, `"q"`, made + ",", false},
	{"API-091", "polite", "preemptionPolicy", `"PreemptLowerPriority"`, `"Never"`, "", false},
	{"JOB-044", "arranged", "scheduling", `{"schedulingPolicy":{"basic":{}}}`, `{"schedulingPolicy":{"basic":null,"gang":{"minCount":1}}}`, "", true},
}

// create makes an object that has the field; without a name it gets that of its row.
func (f gated) create(name string) answer.Request {
	if f.job {
		return job(name, fmt.Sprintf(`"parallelism":2,"%s":%s,`, f.field, f.value))
	}
	return group(name, fmt.Sprintf(`{%s"schedulingPolicy":{"basic":{}},"%s":%s}`, f.more, f.field, f.value))
}

// change is a merge patch of it.
func (f gated) change(merge string) answer.Request {
	if f.job {
		return answer.Patch(jobs, f.name, merge)
	}
	return answer.Patch(podGroups, f.name, merge)
}

// kept is what an object shows that still has the value.
func (f gated) kept() func(answer.Object) bool { return answer.Equals("spec."+f.field, parse(f.value)) }

// relabelled is a change of something else.
const relabelled = `{"metadata":{"labels":{"a":"b"}}}`

// storedBefore is what there is when all gates are on, storedKept what is asked for when they are off, and storedOff
// shows that they are, and that what was stored is still held to the rules.
var storedBefore, storedOff, storedKept = func() (before, off, kept []answer.Row) {
	for _, f := range gatedFields {
		path := "spec." + f.field
		before = append(before, answer.GivenThat(f.id, "stored", f.create(f.name), "it", f.kept()))
		off = append(off,
			answer.GivenThat(f.id, "a new one while it is off", f.create(""), "one that lacks it", answer.Lacks(path)),
			answer.Refuse(f.id, "another value", f.change(fmt.Sprintf(`{"spec":{"%s":%s}}`, f.field, f.other)), path))
		kept = append(kept, answer.Show(f.id, "another label", f.change(relabelled), "what was stored", f.kept()))
	}
	before = append(before, answer.Given("API-003", "stored", answer.Create(pods, member("joined", `{"podGroupName":"g"}`))))
	return before, off, kept
}()

// The same of a pod, which has its field from the gate that all the others depend on.
var (
	membershipOff = []answer.Row{
		answer.GivenThat("API-003", "a new one while it is off", answer.Create(pods, member("", `{"podGroupName":"g"}`)), "a pod that lacks it", answer.Lacks(joined)),
		answer.Refuse("API-003", "another value", answer.Patch(pods, "joined", `{"spec":{"schedulingGroup":{"podGroupName":"h"}}}`), "spec"),
	}
	membershipKept = []answer.Row{
		answer.Show("API-003", "another label", answer.Patch(pods, "joined", relabelled), "its group", answer.Equals(joined+".podGroupName", "g")),
	}
)

// storedRows are all rows, in the order in which they are asked.
func storedRows() []answer.Row {
	return slices.Concat(storedBefore, storedOff, storedKept, membershipOff, membershipKept)
}

func driveGatesOffLater(ctx context.Context, env suites.Env) error {
	components, err := suites.ComponentsOf(env)
	if err != nil {
		return err
	}
	if err := answer.Drive(ctx, env, storedBefore); err != nil {
		return err
	}
	off := map[string]bool{
		"TopologyAwareWorkloadScheduling": false, "DRAWorkloadResourceClaims": false, "PodGroupPreemptionPolicy": false,
		"CompositePodGroup": false, "WorkloadWithJob": false,
	}
	if err := askAnother(ctx, env, components, suites.Flags{Gates: off}, slices.Concat(storedOff, storedKept)); err != nil {
		return err
	}
	off["GenericWorkload"] = false
	return askAnother(ctx, env, components, suites.Flags{Gates: off}, slices.Concat(membershipOff, membershipKept))
}
