package shapes

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// GroupTemplateAnnotation on a Job that has a controller names the template of the parent's Workload that the Job
// controller makes the Job's PodGroup from.
const GroupTemplateAnnotation = "scheduling.k8s.io/group-template-name"

// JobSet is a set of equal Jobs under one parent. Each is a gang of its own.
type JobSet struct {
	Identity
	// Jobs, and the pods of each, all of which run at the same time.
	Jobs, Pods int32
	Pod        corev1.PodSpec
}

// jobTemplate is the Workload's only template.
const jobTemplate = "job"

// Job is the name of the i-th Job.
func (s JobSet) Job(i int) string { return fmt.Sprintf("%s-%d", s.Name, i) }

// Objects are the Workload and the Jobs. Their PodGroups are left to the Job controller.
func (s JobSet) Objects() ([]runtime.Object, error) {
	_, w, err := compile(s.Identity, gangOf(jobTemplate, s.Pods))
	if err != nil {
		return nil, err
	}
	out := []runtime.Object{w}
	for i := range int(s.Jobs) {
		out = append(out, s.job(i))
	}
	return out, nil
}

func (s JobSet) job(i int) *batchv1.Job {
	pods, retries := s.Pods, int32(0)
	return &batchv1.Job{
		TypeMeta: metav1.TypeMeta{APIVersion: batchv1.SchemeGroupVersion.String(), Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{
			Name: s.Job(i), Namespace: s.Namespace, OwnerReferences: []metav1.OwnerReference{s.Owner},
			Annotations: map[string]string{GroupTemplateAnnotation: jobTemplate},
		},
		Spec: batchv1.JobSpec{
			Parallelism: &pods, Completions: &pods, BackoffLimit: &retries, Template: corev1.PodTemplateSpec{Spec: *s.Pod.DeepCopy()},
		},
	}
}
