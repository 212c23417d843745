package build

import (
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DeviceClaim is an entry of a pod's or a gang's resourceClaims: exactly one of Claim and Template is set.
type DeviceClaim struct {
	// Name of the entry. Pods share their gang's claim where Name, Claim and Template are all equal.
	Name string
	// Claim is the name of a ResourceClaim of the namespace, Template that of a ResourceClaimTemplate from which one is
	// made.
	Claim, Template string
}

// OfPod is the entry as a pod has it.
func (c DeviceClaim) OfPod() corev1.PodResourceClaim {
	out := corev1.PodResourceClaim{Name: c.Name}
	if c.Claim != "" {
		out.ResourceClaimName = &c.Claim
	}
	if c.Template != "" {
		out.ResourceClaimTemplateName = &c.Template
	}
	return out
}

// ResourceClaim with these requests. The environment fills in the namespace.
func ResourceClaim(name string, requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	return &resourceapi.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourceapi.SchemeGroupVersion.String(), Kind: "ResourceClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests}},
	}
}

// ResourceClaimTemplate of claims with these requests. The environment fills in the namespace.
func ResourceClaimTemplate(name string, requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaimTemplate {
	return &resourceapi.ResourceClaimTemplate{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourceapi.SchemeGroupVersion.String(), Kind: "ResourceClaimTemplate"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: resourceapi.ResourceClaimTemplateSpec{
			Spec: resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests}},
		},
	}
}

// DeviceRequest asks for count devices of a class; selectors are CEL expressions that each device has to satisfy.
func DeviceRequest(name, class string, count int64, selectors ...string) resourceapi.DeviceRequest {
	return resourceapi.DeviceRequest{Name: name, Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: class, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: count, Selectors: celSelectors(selectors),
	}}
}

// FirstAvailable asks for what the first of the alternatives that can be had asks for. Each is a DeviceRequest.
func FirstAvailable(name string, alternatives ...resourceapi.DeviceRequest) resourceapi.DeviceRequest {
	out := resourceapi.DeviceRequest{Name: name}
	for _, a := range alternatives {
		out.FirstAvailable = append(out.FirstAvailable, resourceapi.DeviceSubRequest{
			Name: a.Name, DeviceClassName: a.Exactly.DeviceClassName, AllocationMode: a.Exactly.AllocationMode,
			Count: a.Exactly.Count, Selectors: a.Exactly.Selectors, Tolerations: a.Exactly.Tolerations,
		})
	}
	return out
}

// DeviceClass of the devices that satisfy every CEL expression. It is cluster-scoped: make its name unique. extended is
// the extended resource it serves; empty for none.
func DeviceClass(name, extended string, selectors ...string) *resourceapi.DeviceClass {
	c := &resourceapi.DeviceClass{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourceapi.SchemeGroupVersion.String(), Kind: "DeviceClass"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       resourceapi.DeviceClassSpec{Selectors: celSelectors(selectors)},
	}
	if extended != "" {
		c.Spec.ExtendedResourceName = &extended
	}
	return c
}

func celSelectors(expressions []string) []resourceapi.DeviceSelector {
	var out []resourceapi.DeviceSelector
	for _, e := range expressions {
		out = append(out, resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: e}})
	}
	return out
}
