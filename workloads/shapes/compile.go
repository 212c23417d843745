package shapes

import (
	"context"
	"fmt"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/schedulingv1/workloadbuilder"
)

// Identity says whose objects a shape makes.
type Identity struct {
	Name, Namespace string
	// Owner is the controller of everything that is made; the Workload refers to it.
	Owner metav1.OwnerReference
}

// gangOf is an item for a gang of n pods that are disrupted together.
func gangOf(name string, n int32) *workloadbuilder.WorkloadItem {
	return &workloadbuilder.WorkloadItem{
		Name: name, Path: field.NewPath("spec", name),
		Input: workloadbuilder.WorkloadInput{
			Policy: workloadbuilder.PolicyInput{PodGroupData: &schedulingv1alpha3.WorkloadPodGroupSchedulingPolicy{
				Gang: &schedulingv1alpha3.WorkloadPodGroupGangSchedulingPolicy{MinCount: &n},
			}, PathElements: []string{"schedulingPolicy"}},
			DisruptionMode: workloadbuilder.DisruptionModeInput{PodGroupData: &schedulingv1alpha3.WorkloadPodGroupDisruptionMode{
				All: &schedulingv1alpha3.WorkloadPodGroupAllDisruptionMode{},
			}, PathElements: []string{"disruptionMode"}},
		},
	}
}

// compile validates the tree as an admission would and compiles it. The builder that is returned materialises groups.
func compile(id Identity, root *workloadbuilder.WorkloadItem) (*workloadbuilder.Builder, *schedulingv1beta1.Workload, error) {
	b := workloadbuilder.NewBuilder(root, workloadbuilder.BuildOptions{
		Name: id.Name, Namespace: id.Namespace, Owner: &id.Owner,
		AllowedPolicies:        []workloadbuilder.SchedulingPolicyOption{workloadbuilder.BasicPolicy, workloadbuilder.GangPolicy},
		AllowedDisruptionModes: []workloadbuilder.DisruptionModeOption{workloadbuilder.SingleMode, workloadbuilder.AllMode},
	})
	if errs := b.Validate(context.Background(), workloadbuilder.ValidationInput{}); len(errs) > 0 {
		return nil, nil, fmt.Errorf("validating workload %s: %w", id.Name, errs.ToAggregate())
	}
	w, err := b.BuildWorkload()
	if err != nil {
		return nil, nil, fmt.Errorf("compiling workload %s: %w", id.Name, err)
	}
	w.TypeMeta = metav1.TypeMeta{APIVersion: schedulingv1beta1.SchemeGroupVersion.String(), Kind: "Workload"}
	return b, w, nil
}

// materialise makes the PodGroup of that name from a template.
func materialise(b *workloadbuilder.Builder, name, template string) (*schedulingv1beta1.PodGroup, error) {
	g, err := b.NewPodGroup(name, template)
	if err != nil {
		return nil, fmt.Errorf("materialising group %s: %w", name, err)
	}
	g.TypeMeta = podGroupType
	return g, nil
}

var podGroupType = metav1.TypeMeta{APIVersion: schedulingv1beta1.SchemeGroupVersion.String(), Kind: "PodGroup"}
