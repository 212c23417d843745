package field

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// The Workload a gang refers to is created when the gang has long been there. It must neither have been waited for,
// nor disturb anything when it comes.
func init() {
	suites.Register(suites.Scenario{
		Name:         "workload-comes-last",
		Profile:      "gang",
		Summary:      "The Workload object a gang refers to is created after the gang and its pods.",
		Requirements: []string{"FIELD-003"},
		Needs:        suites.Needs{Pools: []nodes.Pool{piecesPool}},
		Weight:       25,
		Drive:        driveWorkloadComesLast,
		Judge:        judgeWorkloadComesLast,
	})
}

var workloads = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "workloads"}

func driveWorkloadComesLast(ctx context.Context, env suites.Env) error {
	n, err := piecesSize(env)
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, gangOfWorkload(n), kit.Members(n, "pieces", "pool")...); err != nil {
		return err
	}
	if err := awaitPieces(ctx, env, n); err != nil {
		return err
	}
	if err := env.Create(ctx, workloads, workload("plan", "workers", n)); err != nil {
		return fmt.Errorf("creating the Workload last: %w", err)
	}
	return kit.Watch(ctx, env, "workload-there", "workload-settled", n)
}

func judgeWorkloadComesLast(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-003")
	_, to := c.Watched("workload-there", "workload-settled", len(v.Members("pieces")))
	f := pieces(v, c)
	if f.Verdict != suites.Pass {
		return []suites.Finding{f}
	}
	disturbed := kit.DisturbedBetween(v.Members("pieces"), c.Mark("waited-for"), to)
	return []suites.Finding{f, c.About(to, kit.Objects(disturbed)...).Holds(len(disturbed) == 0,
		"%d of %d bound members were disturbed when the Workload they had not waited for came", len(disturbed), len(v.Members("pieces")))}
}

// workload is a Workload with one template of a gang of n.
func workload(name, template string, n int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": workloads.GroupVersion().String(),
		"kind":       "Workload",
		"metadata":   map[string]any{"name": name},
		"spec": map[string]any{
			"podGroupTemplates": []any{map[string]any{
				"name":             template,
				"schedulingPolicy": map[string]any{"gang": map[string]any{"minCount": int64(n)}},
			}},
		},
	}}
}
