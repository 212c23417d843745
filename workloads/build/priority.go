package build

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PriorityClass with this (cluster-wide) name and value. policy nil leaves Kubernetes' default: preempt lower priorities.
// It is never the global default, as that would change other people's pods.
func PriorityClass(name string, value int32, policy *corev1.PreemptionPolicy) *schedulingv1.PriorityClass {
	c := &schedulingv1.PriorityClass{
		TypeMeta:   metav1.TypeMeta{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Value:      value,
	}
	if policy != nil {
		p := *policy
		c.PreemptionPolicy = &p
	}
	return c
}
