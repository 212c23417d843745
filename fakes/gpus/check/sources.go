package check

import (
	"fmt"
	"maps"
	"slices"

	"muster/fakes/gpus"
)

// sources makes sure that everything says where it is from, and that the place is written down.
func sources(m gpus.Model) []error {
	var errs []error
	used := map[string]bool{}
	from := func(what, source string) {
		used[source] = true
		if m.Sources[source] == "" {
			errs = append(errs, fmt.Errorf("model %s: %s is from %q, which is not among the model's sources", m.Name, what, source))
		}
	}
	for _, p := range m.Publications {
		where := func(kind, name string) string {
			return fmt.Sprintf("driver %s, %s: %s %s", p.Driver, p.Device, kind, name)
		}
		for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
			from(where("attribute", name), p.Attributes[name].Source)
		}
		for _, name := range slices.Sorted(maps.Keys(p.Capacity)) {
			from(where("capacity", name), p.Capacity[name].Source)
		}
		if p.Sharing != nil {
			from(where("sharing", "by "+p.Sharing.Unit), p.Sharing.Source)
		}
		if p.Partitioning != nil {
			from(where("partitioning", "of "+p.Partitioning.CounterSet), p.Partitioning.Source)
			errs = append(errs, placeholders(m.Name, p)...)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(m.Sources)) {
		if !used[s] {
			errs = append(errs, fmt.Errorf("model %s: nothing is from the source %q", m.Name, s))
		}
	}
	return errs
}

// placeholders makes sure that numbers of partitions become numbers.
func placeholders(model string, p gpus.Publication) []error {
	var errs []error
	for _, part := range p.Partitioning.Partitions {
		for _, name := range slices.Sorted(maps.Keys(part.Ints)) {
			if !part.Ints[name].Valid() {
				errs = append(errs, fmt.Errorf("model %s: driver %s, %s: %s is %q, which is not a number", model, p.Driver, part.Device, name, part.Ints[name]))
			}
		}
	}
	return errs
}
