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
	looks []look
}

// look is an attribute or capacity that an expression names.
type look struct {
	domain   string
	name     resourceapi.QualifiedName // without domain: how a driver may write what is in its own
	full     resourceapi.QualifiedName
	capacity bool
}

// one is the plain way to look at an attribute or a capacity: by names that stand in the text.
var one = regexp.MustCompile(`device\.(attributes|capacity)\["([^"\\]*)"\]\.([A-Za-z_][A-Za-z0-9_]*)(\(?)`)

// readingOf finds out what expressions read. What is left of an expression without its plain looks must not mention
// attributes or capacities; if it does (a loop over all of them, a computed name), everything counts as read.
func readingOf(expressions []string) reading {
	var r reading
	for _, e := range expressions {
		for _, m := range one.FindAllStringSubmatch(e, -1) {
			l := look{domain: m[2], name: resourceapi.QualifiedName(m[3]), full: resourceapi.QualifiedName(m[2] + "/" + m[3]), capacity: m[1] == "capacity"}
			if !slices.Contains(r.looks, l) {
				r.looks = append(r.looks, l)
			}
			r.all = r.all || m[4] != "" // a function of the whole map
		}
		rest := one.ReplaceAllString(e, "")
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "device.driver", ""), "device.allowMultipleAllocations", "")
		if strings.Contains(rest, "device") || strings.Contains(rest, "attributes") || strings.Contains(rest, "capacity") {
			r.all = true
		}
	}
	return r
}

// of is equal for devices that the expressions cannot tell apart; it is written over b.
func (r reading) of(b []byte, driver string, d *resourceapi.Device) []byte {
	b = append(b[:0], driver...)
	if d.AllowMultipleAllocations != nil && *d.AllowMultipleAllocations {
		b = append(b, '*')
	}
	if r.all {
		return appendAll(b, d)
	}
	for i := range r.looks {
		l := &r.looks[i]
		b = l.append(append(b, '|'), l.full, d)
		if l.domain == driver {
			b = l.append(append(b, '|'), l.name, d)
		}
	}
	return b
}

// append adds what the device has under a name, if anything.
func (l *look) append(b []byte, name resourceapi.QualifiedName, d *resourceapi.Device) []byte {
	if l.capacity {
		if c, ok := d.Capacity[name]; ok {
			return append(b, c.Value.String()...)
		}
		return b
	}
	if a, ok := d.Attributes[name]; ok {
		return appendAttribute(b, a)
	}
	return b
}

func appendAll(b []byte, d *resourceapi.Device) []byte {
	names := make([]string, 0, 16)
	for n := range d.Attributes {
		names = append(names, string(n))
	}
	slices.Sort(names)
	for _, n := range names {
		b = strconv.AppendQuote(append(b, 'a'), n)
		b = appendAttribute(b, d.Attributes[resourceapi.QualifiedName(n)])
	}
	names = names[:0]
	for n := range d.Capacity {
		names = append(names, string(n))
	}
	slices.Sort(names)
	for _, n := range names {
		c := d.Capacity[resourceapi.QualifiedName(n)]
		b = strconv.AppendQuote(append(b, 'c'), n)
		b = append(b, c.Value.String()...)
	}
	return b
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
