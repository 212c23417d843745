package gpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/nodes"
)

// Classes are the DeviceClasses that go with the devices of these pools, each once, sorted by name: those that the vendors
// of their drivers install, or, for pools with a scope, the same under names of that scope.
func Classes(pools ...nodes.Pool) ([]*resourcev1.DeviceClass, error) {
	drivers, err := Drivers()
	if err != nil {
		return nil, err
	}
	out := map[string]*resourcev1.DeviceClass{}
	for _, p := range pools {
		if p.Devices.Model == "" {
			continue
		}
		m, err := Named(p.Devices.Model)
		if err != nil {
			return nil, fmt.Errorf("pool %s: %w", p.Name, err)
		}
		for _, pub := range m.Publications {
			for _, class := range drivers[pub.Driver].DeviceClasses(p.Devices.Scope) {
				out[class.Name] = class
			}
		}
	}
	return slices.SortedFunc(maps.Values(out), func(a, b *resourcev1.DeviceClass) int { return strings.Compare(a.Name, b.Name) }), nil
}

// DeviceClasses are the driver's in a scope.
func (d Driver) DeviceClasses(scope string) []*resourcev1.DeviceClass {
	out := make([]*resourcev1.DeviceClass, len(d.Classes))
	for i, c := range d.Classes {
		out[i] = classObject(scope, d.Driver, c)
	}
	return out
}

func classObject(scope, driver string, c Class) *resourcev1.DeviceClass {
	expression := strings.NewReplacer("$driver", DriverName(scope, driver), "$domain", driver).Replace(c.Expression)
	class := &resourcev1.DeviceClass{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "DeviceClass"},
		ObjectMeta: metav1.ObjectMeta{Name: ClassName(scope, c.Name)},
		Spec:       resourcev1.DeviceClassSpec{Selectors: []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: expression}}}},
	}
	if c.ExtendedResource != "" {
		name := ExtendedResource(scope, c.ExtendedResource)
		class.Spec.ExtendedResourceName = &name
	}
	return class
}

// ClassName is what a vendor's class ("gpu.nvidia.com") is called in a scope.
func ClassName(scope, class string) string { return scoped(scope, class) }

// ExtendedResource is what an extended resource that a class serves ("nvidia.com/gpu") is called in a scope.
func ExtendedResource(scope, resource string) string { return scoped(scope, resource) }

// DriverName is what a driver ("gpu.nvidia.com") is called in a scope. Names of drivers have 63 characters at most, so a
// scope too long for that is represented by its hash.
func DriverName(scope, driver string) string {
	name := scoped(scope, driver)
	if len(name) > resourcev1.DriverNameMaxLength {
		name = scoped("s"+strings.ReplaceAll(nodes.UUID("scope/"+scope), "-", "")[:12], driver)
	}
	return name
}

// CapacityName is how a claim in a scope asks for an amount of a capacity of a driver ("memory"). Selectors name attributes
// and capacities with their domain, which is the same everywhere; a request for an amount has to use the very name that the
// device has, and in a scope that is the one with the domain.
func CapacityName(scope, driver, capacity string) resourcev1.QualifiedName {
	if scope == "" || strings.Contains(capacity, "/") {
		return resourcev1.QualifiedName(capacity)
	}
	return resourcev1.QualifiedName(driver + "/" + capacity)
}

func scoped(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}
