package nodes

import (
	corev1 "k8s.io/api/core/v1"
)

const (
	// DefaultGPUResource is the extended resource of Pool.GPUs where the pool names none.
	DefaultGPUResource = "nvidia.com/gpu"

	defaultCPU    = "64"
	defaultMemory = "512Gi"
	defaultPods   = 110
	// defaultStorage is the ephemeral storage of every node: enough never to be the reason that a pod does not fit.
	defaultStorage = "1Ti"
)

// WithDefaults is the pool with every default filled in. It shares maps and slices with p.
func (p Pool) WithDefaults() Pool {
	p.CPU = or(p.CPU, defaultCPU)
	p.Memory = or(p.Memory, defaultMemory)
	if p.Pods == 0 {
		p.Pods = defaultPods
	}
	p.GPUResource = or(p.GPUResource, DefaultGPUResource)
	p.Arch = or(p.Arch, "amd64")
	p.RackKey = or(p.RackKey, RackLabel)
	p.ZoneKey = or(p.ZoneKey, ZoneLabel)
	return p
}

// Toleration is what a pod needs to run on the pool with this (real) name, Open or not.
func Toleration(pool string) corev1.Toleration {
	return corev1.Toleration{
		Key: PoolTaint, Operator: corev1.TolerationOpEqual, Value: pool, Effect: corev1.TaintEffectNoSchedule,
	}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
