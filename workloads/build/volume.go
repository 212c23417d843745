package build

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Claim is the options struct of a PersistentVolumeClaim and the volume it is bound to.
type Claim struct {
	// Name of the claim in its namespace.
	Name string
	// Namespace where the environment is not to fill it in.
	Namespace string
	// Volume is the name of the PersistentVolume, which is cluster-scoped: make it unique. Default
	// <namespace>-<name>.
	Volume string
	// Mode of access (default ReadWriteOncePod: one pod in the whole cluster).
	Mode corev1.PersistentVolumeAccessMode
	// Node restricts the volume to the node with this name; empty does not.
	Node string
}

// bindCompleted is how the persistent volume controller marks a claim whose binding is final; schedulers go by it.
const bindCompleted = "pv.kubernetes.io/bind-completed"

// BoundClaim is a claim and a volume that are bound to each other from the start: nothing has to be provisioned or
// waited for, and no storage class is involved. Create the volume first, or the persistent volume controller takes the
// claim for lost. The volume does not name its claim: only the controller knows the claim's UID, and fills it in.
func BoundClaim(c Claim, d Defaults) (*corev1.PersistentVolume, *corev1.PersistentVolumeClaim) {
	ns := either(c.Namespace, d.Namespace)
	volume := either(c.Volume, ns+"-"+c.Name)
	modes := []corev1.PersistentVolumeAccessMode{corev1.PersistentVolumeAccessMode(either(string(c.Mode), string(corev1.ReadWriteOncePod)))}
	storage := corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
	class := ""
	pv := &corev1.PersistentVolume{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"},
		ObjectMeta: metav1.ObjectMeta{Name: volume},
		Spec: corev1.PersistentVolumeSpec{
			Capacity: storage, AccessModes: modes,
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
			// Nothing mounts it; and unlike a CSI volume it leaves the attach-detach controller nothing to do.
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				HostPath: &corev1.HostPathVolumeSource{Path: "/var/lib/muster/" + volume},
			},
		},
	}
	if c.Node != "" {
		pv.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{c.Node}}},
		}}}}
	}
	pvc := &corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: c.Name, Namespace: ns, Annotations: map[string]string{bindCompleted: "yes"}},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: modes, StorageClassName: &class, VolumeName: volume,
			Resources: corev1.VolumeResourceRequirements{Requests: storage.DeepCopy()},
		},
	}
	return pv, pvc
}
