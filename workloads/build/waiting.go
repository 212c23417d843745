package build

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// unserved is a provisioner that does not exist.
const unserved = "muster.dev/unserved"

// WaitingClass is a StorageClass whose claims wait for their first consumer, and of which nobody makes volumes: what a
// scheduler does to a claim of it is all that happens to the claim. Its name is cluster-scoped: make it unique.
func WaitingClass(name string) *storagev1.StorageClass {
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	return &storagev1.StorageClass{
		TypeMeta:    metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"},
		ObjectMeta:  metav1.ObjectMeta{Name: name},
		Provisioner: unserved, VolumeBindingMode: &mode,
	}
}

// WaitingClaim is a PersistentVolumeClaim of the class that is bound to nothing; the default of its mode is that of a
// Claim, and its volume is not used.
func WaitingClaim(c Claim, class string, d Defaults) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: c.Name, Namespace: either(c.Namespace, d.Namespace)},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{
				corev1.PersistentVolumeAccessMode(either(string(c.Mode), string(corev1.ReadWriteOncePod))),
			},
			StorageClassName: &class,
			Resources:        corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
		},
	}
}
