package api

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

// group of the scheduling API, in the version most objects are served in and the one in which composites are.
const (
	beta  = "scheduling.k8s.io/v1beta1"
	alpha = "scheduling.k8s.io/v1alpha3"
)

var (
	podGroups      = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}
	workloads      = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "workloads"}
	alphaPodGroups = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "podgroups"}
	alphaWorkloads = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "workloads"}
	composites     = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"}
	betaComposites = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "compositepodgroups"}
	pods           = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	jobs           = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	classes        = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}
)

// object is an object of a table: spec is JSON. It panics on JSON that is none, which is a mistake in the table.
func object(apiVersion, kind, name, spec string) answer.Object {
	o := answer.Object{"apiVersion": apiVersion, "kind": kind, "metadata": answer.Object{}, "spec": parse(spec)}
	if name != "" {
		o["metadata"] = answer.Object{"name": name}
	}
	return o
}

func parse(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(fmt.Sprintf("api: the table holds %s, which is no JSON: %v", text, err))
	}
	return v
}

// pg, wl and cpg are objects without a name of their own: they get that of their row.
func pg(spec string) answer.Object  { return object(beta, "PodGroup", "", spec) }
func wl(spec string) answer.Object  { return object(beta, "Workload", "", spec) }
func cpg(spec string) answer.Object { return object(alpha, "CompositePodGroup", "", spec) }

// group, workload and composite are requests that create one, named, for rows that come back to it.
func group(name, spec string) answer.Request {
	return answer.Create(podGroups, object(beta, "PodGroup", name, spec))
}

func workload(name, spec string) answer.Request {
	return answer.Create(workloads, object(beta, "Workload", name, spec))
}

func composite(name, spec string) answer.Request {
	return answer.Create(composites, object(alpha, "CompositePodGroup", name, spec))
}

// class is a priority class of the scenario's own, and its name, for what Needs cannot declare.
func class(short string, more answer.Object) answer.Request {
	return answer.CreateClusterScoped(classes, func(env suites.Env) answer.Object {
		o := answer.Object{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
			"metadata": answer.Object{"name": className(env, short)}}
		for k, v := range more {
			o[k] = v
		}
		return o
	})
}

func className(env suites.Env, short string) string { return env.Namespace() + "-" + short }

// table is a scenario that is nothing but its rows.
func table(name, summary string, needs suites.Needs, rows []answer.Row) suites.Scenario {
	return suites.Scenario{
		Name: name, Profile: "api", Summary: summary, Requirements: answer.IDs(rows), Needs: needs, Weight: 1,
		Drive: func(ctx context.Context, env suites.Env) error { return answer.Drive(ctx, env, rows) },
		Judge: func(v *history.View) []suites.Finding { return answer.Judge(v, rows) },
	}
}

// job is a suspended Job, so that nothing comes of it, with something more in its spec (a JSON member and a comma).
func job(name, more string) answer.Request {
	return answer.Create(jobs, object("batch/v1", "Job", name, `{`+more+`"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"registry.k8s.io/pause:3.10"}]}}}`))
}
