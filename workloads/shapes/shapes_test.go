package shapes

import (
	"context"
	"errors"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var id = Identity{Name: "s", Namespace: "ns", Owner: metav1.OwnerReference{APIVersion: "example.org/v1", Kind: "Set", Name: "s", UID: "u"}}

// cluster keeps what was created; broken refuses everything.
type cluster struct {
	have   map[string]bool
	order  []string
	broken error
}

func (c *cluster) Create(_ context.Context, o *unstructured.Unstructured) (bool, error) {
	if c.broken != nil {
		return false, c.broken
	}
	key := o.GetKind() + "/" + o.GetName()
	if c.have[key] {
		return false, nil
	}
	c.have[key] = true
	c.order = append(c.order, key)
	return true, nil
}

func TestLeaderWorkers(t *testing.T) {
	objects, err := LeaderWorkers{Identity: id, Replicas: 2, Size: 3}.Objects()
	if err != nil {
		t.Fatal(err)
	}
	w := objects[0].(*schedulingv1beta1.Workload)
	if ref := w.Spec.ControllerRef; ref == nil || ref.APIGroup != "example.org" || ref.Kind != "Set" || ref.Name != "s" {
		t.Errorf("the workload refers to %+v", ref)
	}
	groups, members := map[string]int32{}, map[string]int32{}
	for _, o := range objects[1:] {
		switch o := o.(type) {
		case *schedulingv1beta1.PodGroup:
			groups[o.Name] = o.Spec.SchedulingPolicy.Gang.MinCount
			if o.Spec.WorkloadRef.WorkloadName != w.Name || o.Spec.WorkloadRef.TemplateName != w.Spec.PodGroupTemplates[0].Name || o.Spec.DisruptionMode.All == nil {
				t.Errorf("group %s: %+v", o.Name, o.Spec)
			}
		case *corev1.Pod:
			members[*o.Spec.SchedulingGroup.PodGroupName]++
			if groups[*o.Spec.SchedulingGroup.PodGroupName] == 0 {
				t.Errorf("pod %s comes before its group", o.Name)
			}
		}
	}
	for g, n := range groups {
		if n != 3 || members[g] != 3 {
			t.Errorf("group %s has minCount %d and %d pods", g, n, members[g])
		}
	}
	if len(groups) != 2 {
		t.Errorf("%d groups", len(groups))
	}
}

func TestJobSet(t *testing.T) {
	objects, err := JobSet{Identity: id, Jobs: 2, Pods: 4}.Objects()
	if err != nil || len(objects) != 3 {
		t.Fatalf("%d objects: %v", len(objects), err)
	}
	template := objects[0].(*schedulingv1beta1.Workload).Spec.PodGroupTemplates[0]
	for _, o := range objects[1:] {
		if j := o.(*batchv1.Job); j.Annotations[GroupTemplateAnnotation] != template.Name || len(j.OwnerReferences) != 1 || *j.Spec.Parallelism != 4 {
			t.Errorf("job %+v", j)
		}
	}
	if template.SchedulingPolicy.Gang.MinCount != 4 {
		t.Errorf("minCount %d", template.SchedulingPolicy.Gang.MinCount)
	}
}

func TestTree(t *testing.T) {
	tree := Tree{Identity: id, Leaders: 1, Workers: 5}
	objects, err := tree.Objects()
	if err != nil || len(objects) != 4 {
		t.Fatalf("%d objects: %v", len(objects), err)
	}
	root := objects[1].(*schedulingv1alpha3.CompositePodGroup)
	if root.Name != tree.Root() || root.Spec.SchedulingPolicy.Gang.MinGroupCount != 2 {
		t.Errorf("root %+v", root)
	}
	want := map[string]int32{tree.LeadersGroup(): 1, tree.WorkersGroup(): 5}
	for _, o := range objects[2:] {
		g := o.(*schedulingv1beta1.PodGroup)
		if *g.Spec.ParentCompositePodGroupName != root.Name || g.Spec.SchedulingPolicy.Gang.MinCount != want[g.Name] {
			t.Errorf("group %s: %+v", g.Name, g.Spec)
		}
	}
}

func TestReconcileCreatesWhatIsMissing(t *testing.T) {
	c := &cluster{have: map[string]bool{}}
	shape := LeaderWorkers{Identity: id, Replicas: 1, Size: 2}
	for i, want := range []int{4, 0} {
		if n, err := Reconcile(t.Context(), c, shape); n != want || err != nil {
			t.Errorf("pass %d: created %d, %v; want %d", i, n, err, want)
		}
	}
	shape.Replicas = 2
	if n, err := Reconcile(t.Context(), c, shape); n != 3 || err != nil {
		t.Errorf("one more replica: created %d, %v", n, err)
	}
	if c.order[0] != "Workload/s" || c.order[1] != "PodGroup/s-0" {
		t.Errorf("order %q", c.order)
	}
}

func TestRefusals(t *testing.T) {
	refused := errors.New("no")
	if _, err := Reconcile(t.Context(), &cluster{broken: refused}, JobSet{Identity: id, Jobs: 1, Pods: 1}); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	// The library's validation refuses a gang of nobody.
	if _, err := Reconcile(t.Context(), &cluster{}, LeaderWorkers{Identity: id, Replicas: 1}); err == nil {
		t.Error("a replica of no pods was compiled")
	}
}
