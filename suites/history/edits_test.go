package history

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Edits of pods.
func member(gang string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels = map[string]string{"gang": gang} }
}
func on(node string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
func phase(ph corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = ph }
}
func deleting(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: start} }
func gated(p *corev1.Pod)    { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}} }
func ungated(p *corev1.Pod)  { p.Spec.SchedulingGates = nil }
func refused(reason, message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: reason, Message: message}}
	}
}
