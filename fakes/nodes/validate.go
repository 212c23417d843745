package nodes

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
)

// effects are the legal effects of a taint.
var effects = []string{string(corev1.TaintEffectNoSchedule), string(corev1.TaintEffectPreferNoSchedule), string(corev1.TaintEffectNoExecute)}

// Validate says everything that is wrong with the pool, naming field, value and what would be right.
func (p Pool) Validate() error {
	d := p.WithDefaults()
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("pool %q: %s: %s", p.Name, field, fmt.Sprintf(format, args...)))
	}
	last := fmt.Sprintf("%s-%d", p.Name, max(p.Count-1, 0))
	if msgs := validation.IsDNS1123Subdomain(p.Name); len(msgs) > 0 {
		bad("name", "%s", msgs[0])
	} else if len(last) > validation.LabelValueMaxLength {
		bad("name", "its last node would be called %s, %d characters, and a hostname label takes %d", last, len(last), validation.LabelValueMaxLength)
	}
	for field, n := range map[string]int{"count": p.Count, "pods": p.Pods, "gpus": p.GPUs, "nodesPerRack": p.NodesPerRack, "racksPerZone": p.RacksPerZone} {
		if n < 0 {
			bad(field, "is %d; want 0 or more", n)
		}
	}
	if p.RacksPerZone > 0 && p.NodesPerRack == 0 {
		bad("racksPerZone", "is %d, but nodesPerRack is 0, so there are no racks to put into zones", p.RacksPerZone)
	}
	if msgs := validation.IsValidLabelValue(d.Arch); len(msgs) > 0 {
		bad("arch", "%s", msgs[0])
	}
	quantity(bad, "cpu", d.CPU)
	quantity(bad, "memory", d.Memory)
	extendedName(bad, "gpuResource", d.GPUResource)
	for _, name := range slices.Sorted(maps.Keys(p.Extended)) {
		field := fmt.Sprintf("extended[%s]", name)
		extendedName(bad, field, name)
		quantity(bad, field, p.Extended[name])
		if p.GPUs > 0 && name == d.GPUResource {
			bad(field, "is counted by gpus already")
		}
	}
	if d.RackKey == d.ZoneKey {
		bad("rackKey", "and zoneKey are both %s", d.RackKey)
	}
	labelKey(bad, "rackKey", d.RackKey)
	labelKey(bad, "zoneKey", d.ZoneKey)
	for _, k := range slices.Sorted(maps.Keys(p.RackLabels)) {
		field := fmt.Sprintf("rackLabels[%s]", k)
		labelKey(bad, field, k)
		if _, taken := (Pool{Name: p.Name, NodesPerRack: p.NodesPerRack, RacksPerZone: p.RacksPerZone, RackKey: p.RackKey, ZoneKey: p.ZoneKey}).ownLabels(0)[k]; taken {
			bad(field, "is set by the pool itself")
		} else if msgs := validation.IsValidLabelValue(p.ownLabels(0)[k]); len(msgs) > 0 {
			bad(field, "%s", msgs[0])
		}
	}
	p.Devices.validate(bad)
	own := p.ownLabels(0)
	for _, k := range slices.Sorted(maps.Keys(p.Labels)) {
		field := fmt.Sprintf("labels[%s]", k)
		labelKey(bad, field, k)
		if msgs := validation.IsValidLabelValue(p.Labels[k]); len(msgs) > 0 {
			bad(field, "%s", msgs[0])
		}
		if _, taken := own[k]; taken {
			bad(field, "is set by the pool itself")
		}
	}
	for i, t := range p.Taints {
		field := fmt.Sprintf("taints[%d]", i)
		taint(bad, field, t.Key, t.Value, t.Effect, effects)
	}
	return errors.Join(errs...)
}

// taint validates the parts of a taint, of nodes or of devices; they differ in the effects there are.
func taint(bad complain, field, key, value, effect string, effects []string) {
	labelKey(bad, field+".key", key)
	if msgs := validation.IsValidLabelValue(value); len(msgs) > 0 {
		bad(field+".value", "%s", msgs[0])
	}
	if !slices.Contains(effects, effect) {
		bad(field+".effect", "%q is not an effect%s; there are: %s", effect, nearest(effect, effects), strings.Join(effects, ", "))
	}
}

// ValidateAll validates every pool and that their names differ.
func ValidateAll(pools ...Pool) error {
	var errs []error
	seen := map[string]bool{}
	for _, p := range pools {
		if seen[p.Name] {
			errs = append(errs, fmt.Errorf("pool %q: name: is used by another pool too", p.Name))
		}
		seen[p.Name] = true
		errs = append(errs, p.Validate())
	}
	return errors.Join(errs...)
}

type complain func(field, format string, args ...any)

func quantity(bad complain, field, text string) {
	q, err := resource.ParseQuantity(text)
	switch {
	case err != nil:
		bad(field, "%q is not a quantity such as 64, 500m or 512Gi", text)
	case q.Sign() < 0:
		bad(field, "is %s; want 0 or more", text)
	}
}

func labelKey(bad complain, field, key string) {
	if msgs := validation.IsQualifiedName(key); len(msgs) > 0 {
		bad(field, "%q: %s", key, msgs[0])
	}
}

// extendedName: extended resources have a domain that is not Kubernetes' own.
func extendedName(bad complain, field, name string) {
	domain, _, found := strings.Cut(name, "/")
	if len(validation.IsQualifiedName(name)) > 0 || !found || domain == "kubernetes.io" || strings.HasSuffix(domain, ".kubernetes.io") {
		bad(field, "%q is not an extended resource such as %s", name, DefaultGPUResource)
	}
}

// nearest is a hint at what may have been meant: the valid name with the longest common beginning, case ignored.
func nearest(given string, valid []string) string {
	best, length := "", 0
	for _, v := range valid {
		n := 0
		for n < min(len(v), len(given)) && strings.EqualFold(v[:n+1], given[:n+1]) {
			n++
		}
		if n > length {
			best, length = v, n
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}
