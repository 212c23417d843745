package build

import (
	"testing"

	resourceapi "k8s.io/api/resource/v1"
)

func TestDeviceGoldens(t *testing.T) {
	tainted := DeviceRequest("any", "gpu.example.com", 2)
	tainted.Exactly.Tolerations = []resourceapi.DeviceToleration{{Key: "k", Operator: resourceapi.DeviceTolerationOpExists}}
	for name, obj := range map[string]any{
		"resourceclaim": ResourceClaim("c", DeviceRequest("r", "gpu.example.com", 1, `device.driver == "gpu.example.com"`)),
		"resourceclaimtemplate": ResourceClaimTemplate("t", FirstAvailable("r",
			DeviceRequest("big", "gpu.example.com", 1, `device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("40Gi"))`), tainted)),
		"deviceclass": DeviceClass("gpu.example.com", "example.com/gpu", `device.driver == "gpu.example.com"`),
		"pod-devices": PodObject(Pod{Name: "p", Devices: []DeviceClaim{{Name: "a", Claim: "one"}, {Name: "b", Template: "t"}}}, Defaults{Namespace: "ns"}),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, obj) })
	}
}
