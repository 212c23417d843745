package builder

import (
	"strings"
	"testing"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	wb "k8s.io/component-helpers/scheduling/schedulingv1/workloadbuilder"
)

// What the library refuses never reaches an API server, so no requirement can be about it. It is held here, against the
// very library that the shapes are compiled with: a controller's allow-lists, and what does not go together.
func TestLibraryRefuses(t *testing.T) {
	one := int32(1)
	basic := &schedulingv1alpha3.WorkloadPodGroupSchedulingPolicy{Basic: &schedulingv1alpha3.WorkloadPodGroupBasicSchedulingPolicy{}}
	gang := &schedulingv1alpha3.WorkloadPodGroupSchedulingPolicy{Gang: &schedulingv1alpha3.WorkloadPodGroupGangSchedulingPolicy{MinCount: &one}}
	single := &schedulingv1alpha3.WorkloadPodGroupDisruptionMode{Single: &schedulingv1alpha3.WorkloadPodGroupSingleDisruptionMode{}}
	all := &schedulingv1alpha3.WorkloadPodGroupDisruptionMode{All: &schedulingv1alpha3.WorkloadPodGroupAllDisruptionMode{}}
	policies, modes := []wb.SchedulingPolicyOption{wb.BasicPolicy, wb.GangPolicy}, []wb.DisruptionModeOption{wb.SingleMode, wb.AllMode}
	for _, tt := range []struct {
		name     string
		policy   *schedulingv1alpha3.WorkloadPodGroupSchedulingPolicy
		mode     *schedulingv1alpha3.WorkloadPodGroupDisruptionMode
		policies []wb.SchedulingPolicyOption
		modes    []wb.DisruptionModeOption
		want     string // the field that is complained of; empty: nothing is
	}{
		{"all allowed", gang, all, policies, modes, ""},
		{"a gang where only basic is allowed", gang, single, []wb.SchedulingPolicyOption{wb.BasicPolicy}, modes, "spec.mine.policy"},
		{"basic where only gangs are", basic, single, []wb.SchedulingPolicyOption{wb.GangPolicy}, modes, "spec.mine.policy"},
		{"together where only singly is allowed", gang, all, policies, []wb.DisruptionModeOption{wb.SingleMode}, "spec.mine.mode"},
		{"nothing is allowed", gang, single, nil, nil, "spec.mine"},
		{"basic and together", basic, all, policies, modes, "spec.mine.mode"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			item := &wb.WorkloadItem{Name: "mine", Path: field.NewPath("spec", "mine"), Input: wb.WorkloadInput{
				Policy:         wb.PolicyInput{PodGroupData: tt.policy, PathElements: []string{"policy"}},
				DisruptionMode: wb.DisruptionModeInput{PodGroupData: tt.mode, PathElements: []string{"mode"}},
			}}
			b := wb.NewBuilder(item, wb.BuildOptions{
				Name: "w", Namespace: "ns", Owner: &metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "o", UID: "u"},
				AllowedPolicies: tt.policies, AllowedDisruptionModes: tt.modes,
			})
			errs := b.Validate(t.Context(), wb.ValidationInput{})
			named := false
			for _, e := range errs {
				named = named || strings.HasPrefix(e.Field, tt.want)
			}
			if tt.want == "" && len(errs) > 0 || tt.want != "" && !named {
				t.Errorf("refused: %v, want a complaint about %q", errs, tt.want)
			}
		})
	}
}
