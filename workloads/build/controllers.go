package build

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AppLabel marks the pods of a controller; its value is the controller's name.
const AppLabel = "muster.dev/app"

// Controller is the options struct of a Deployment, StatefulSet, DaemonSet or Job.
type Controller struct {
	// Name of the controller.
	Name string
	// Namespace where the template leaves it open.
	Namespace string
	// Replicas of a Deployment or StatefulSet, parallelism and completions of a Job. A DaemonSet has none.
	Replicas int32
	// Template of its pods; its Name is not used. A dialect may still make it a member of a gang (Template of the
	// object).
	Template Pod
}

// pods is the selector and the template of a controller's pods, with the restart policy its kind asks for.
func (c Controller) pods(d Defaults, restart corev1.RestartPolicy) (*metav1.LabelSelector, corev1.PodTemplateSpec) {
	pod := PodObject(c.Template, d)
	labels := maps.Clone(pod.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[AppLabel] = c.Name
	pod.Spec.RestartPolicy = restart
	return &metav1.LabelSelector{MatchLabels: map[string]string{AppLabel: c.Name}},
		corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: pod.Annotations}, Spec: pod.Spec}
}

func (c Controller) meta(d Defaults) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: c.Name, Namespace: either(either(c.Namespace, c.Template.Namespace), d.Namespace)}
}

// Deployment with the roll-out Kubernetes gives it.
func Deployment(c Controller, d Defaults) *appsv1.Deployment {
	selector, template := c.pods(d, corev1.RestartPolicyAlways)
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: c.meta(d),
		Spec:       appsv1.DeploymentSpec{Replicas: &c.Replicas, Selector: selector, Template: template},
	}
}

// StatefulSet with parallel pod management: in order, its second pod would wait for the first to be Ready, and a gang
// of them for ever.
func StatefulSet(c Controller, d Defaults) *appsv1.StatefulSet {
	selector, template := c.pods(d, corev1.RestartPolicyAlways)
	return &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: c.meta(d),
		Spec: appsv1.StatefulSetSpec{
			Replicas: &c.Replicas, Selector: selector, Template: template, ServiceName: c.Name,
			PodManagementPolicy: appsv1.ParallelPodManagement,
		},
	}
}

// DaemonSet with one pod on each node that its template selects.
func DaemonSet(c Controller, d Defaults) *appsv1.DaemonSet {
	selector, template := c.pods(d, corev1.RestartPolicyAlways)
	return &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: c.meta(d),
		Spec:       appsv1.DaemonSetSpec{Selector: selector, Template: template},
	}
}

// Job whose pods all run at the same time, and are not replaced when one fails.
func Job(c Controller, d Defaults) *batchv1.Job {
	_, template := c.pods(d, corev1.RestartPolicyNever)
	parallelism, completions, retries := c.Replicas, c.Replicas, int32(0)
	return &batchv1.Job{
		TypeMeta:   metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
		ObjectMeta: c.meta(d),
		Spec: batchv1.JobSpec{
			Parallelism: &parallelism, Completions: &completions, BackoffLimit: &retries, Template: template,
		},
	}
}
