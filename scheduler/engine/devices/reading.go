package devices

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
)

// reading is which attributes and capacities of a device some expressions look at.
type reading struct {
	all   bool // it cannot be told
	names map[string]bool
}

// one is the plain way to look at an attribute or a capacity: by names that stand in the text.
var one = regexp.MustCompile(`device\.(?:attributes|capacity)\["[^"\\]*"\]\.([A-Za-z_][A-Za-z0-9_]*)(\(?)`)

// readingOf finds out what expressions read. What is left of an expression without its plain looks must not mention
// attributes or capacities; if it does (a loop over all of them, a computed name), everything counts as read.
func readingOf(expressions []string) reading {
	r := reading{names: map[string]bool{}}
	for _, e := range expressions {
		for _, m := range one.FindAllStringSubmatch(e, -1) {
			r.names[m[1]] = true
			r.all = r.all || m[2] != "" // a function of the whole map
		}
		rest := one.ReplaceAllString(e, "")
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "device.driver", ""), "device.allowMultipleAllocations", "")
		if strings.Contains(rest, "device") || strings.Contains(rest, "attributes") || strings.Contains(rest, "capacity") {
			r.all = true
		}
	}
	return r
}

// of is equal for devices that the expressions cannot tell apart.
func (r reading) of(driver string, d *resourceapi.Device) string {
	b := append(make([]byte, 0, 128), driver...)
	if d.AllowMultipleAllocations != nil && *d.AllowMultipleAllocations {
		b = append(b, '*')
	}
	names := make([]string, 0, 8)
	for n := range d.Attributes {
		if r.all || r.names[idOf(n)] {
			names = append(names, string(n))
		}
	}
	slices.Sort(names)
	for _, n := range names {
		b = strconv.AppendQuote(append(b, 'a'), n)
		b = appendAttribute(b, d.Attributes[resourceapi.QualifiedName(n)])
	}
	names = names[:0]
	for n := range d.Capacity {
		if r.all || r.names[idOf(n)] {
			names = append(names, string(n))
		}
	}
	slices.Sort(names)
	for _, n := range names {
		c := d.Capacity[resourceapi.QualifiedName(n)]
		b = strconv.AppendQuote(append(b, 'c'), n)
		b = append(b, c.Value.String()...)
	}
	return string(b)
}

// idOf is a name without its domain.
func idOf(n resourceapi.QualifiedName) string {
	s := string(n)
	return s[strings.LastIndexByte(s, '/')+1:]
}

func appendAttribute(b []byte, a resourceapi.DeviceAttribute) []byte {
	switch {
	case a.IntValue != nil:
		return strconv.AppendInt(append(b, 'i'), *a.IntValue, 10)
	case a.BoolValue != nil:
		return strconv.AppendBool(append(b, 'b'), *a.BoolValue)
	case a.StringValue != nil:
		return strconv.AppendQuote(append(b, 's'), *a.StringValue)
	case a.VersionValue != nil:
		return strconv.AppendQuote(append(b, 'v'), *a.VersionValue)
	}
	for _, i := range a.IntValues {
		b = strconv.AppendInt(append(b, 'I'), i, 10)
	}
	for _, v := range a.BoolValues {
		b = strconv.AppendBool(append(b, 'B'), v)
	}
	for _, list := range [][]string{a.StringValues, a.VersionValues} {
		b = append(b, 'S')
		for _, s := range list {
			b = strconv.AppendQuote(b, s)
		}
	}
	return b
}
