package shapes

import (
	"fmt"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/schedulingv1/workloadbuilder"
)

// Tree is one replica of a leader and its workers as a composite of two groups, both of which have to run.
type Tree struct {
	Identity
	// Leaders and Workers are the sizes of the two groups.
	Leaders, Workers int32
}

// The templates of a Tree's Workload.
const (
	rootTemplate    = "root"
	leadersTemplate = "leaders"
	workersTemplate = "workers"
)

// Root, LeadersGroup and WorkersGroup are the names of the runtime objects.
func (t Tree) Root() string         { return t.Name + "-" + rootTemplate }
func (t Tree) LeadersGroup() string { return t.Name + "-" + leadersTemplate }
func (t Tree) WorkersGroup() string { return t.Name + "-" + workersTemplate }

// Objects are the Workload, the composite and its two groups.
func (t Tree) Objects() ([]runtime.Object, error) {
	both := int32(2)
	b, w, err := compile(t.Identity, &workloadbuilder.WorkloadItem{
		Name: rootTemplate, Path: field.NewPath("spec"),
		Input: workloadbuilder.WorkloadInput{Policy: workloadbuilder.PolicyInput{
			CompositePodGroupData: &schedulingv1alpha3.WorkloadCompositePodGroupSchedulingPolicy{
				Gang: &schedulingv1alpha3.WorkloadCompositePodGroupGangSchedulingPolicy{MinGroupCount: &both},
			},
		}},
		Children: []*workloadbuilder.WorkloadItem{gangOf(leadersTemplate, t.Leaders), gangOf(workersTemplate, t.Workers)},
	})
	if err != nil {
		return nil, err
	}
	root, err := b.NewCompositePodGroup(t.Root(), rootTemplate)
	if err != nil {
		return nil, fmt.Errorf("materialising composite %s: %w", t.Root(), err)
	}
	root.TypeMeta = metav1.TypeMeta{APIVersion: schedulingv1alpha3.SchemeGroupVersion.String(), Kind: "CompositePodGroup"}
	out := []runtime.Object{w, root}
	for _, leaf := range w.Spec.CompositePodGroupTemplates[0].PodGroupTemplates {
		out = append(out, t.leaf(w, leaf))
	}
	return out, nil
}

// leaf makes the PodGroup of a nested template by hand: the library's NewPodGroup finds templates of the first level
// only, and leaves the link to the parent to its caller.
func (t Tree) leaf(w *schedulingv1beta1.Workload, template schedulingv1beta1.PodGroupTemplate) *schedulingv1beta1.PodGroup {
	root := t.Root()
	return &schedulingv1beta1.PodGroup{
		TypeMeta: podGroupType,
		ObjectMeta: metav1.ObjectMeta{
			Name: t.Name + "-" + template.Name, Namespace: t.Namespace, OwnerReferences: []metav1.OwnerReference{t.Owner},
		},
		Spec: schedulingv1beta1.PodGroupSpec{
			ParentCompositePodGroupName: &root,
			WorkloadRef:                 &schedulingv1beta1.WorkloadReference{WorkloadName: w.Name, TemplateName: template.Name},
			SchedulingPolicy:            *template.SchedulingPolicy.DeepCopy(),
			DisruptionMode:              template.DisruptionMode.DeepCopy(),
		},
	}
}
