package dialect

import (
	"fmt"
	"strconv"
	"strings"
)

// Path leads to a value inside an object: keys separated by dots, list elements by [0], keys that contain dots or
// slashes by ["key"]. The zero Path leads nowhere.
type Path struct {
	text  string
	steps []step
}

// step is a key, or an index where key is empty.
type step struct {
	key   string
	index int
}

// ParsePath reads the text form.
func ParsePath(text string) (Path, error) {
	p := Path{text: text}
	rest := text
	for first := true; rest != ""; first = false {
		var s step
		var err error
		switch {
		case strings.HasPrefix(rest, `["`):
			s, rest, err = quotedKey(rest)
		case rest[0] == '[':
			s, rest, err = index(rest)
		default:
			if !first {
				if rest[0] != '.' {
					return Path{}, fmt.Errorf("path %q: want . or [ before %q", text, rest)
				}
				rest = rest[1:]
			}
			s, rest, err = plainKey(rest)
		}
		if err != nil {
			return Path{}, fmt.Errorf("path %q: %w", text, err)
		}
		p.steps = append(p.steps, s)
	}
	if len(p.steps) == 0 {
		return Path{}, fmt.Errorf("path is empty")
	}
	return p, nil
}

func plainKey(s string) (step, string, error) {
	end := strings.IndexAny(s, ".[")
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		return step{}, "", fmt.Errorf("a key is missing before %q", s)
	}
	if i := strings.IndexAny(s[:end], "]\"' \t\n"); i >= 0 {
		return step{}, "", fmt.Errorf("%q in the key %q; write keys like that as [\"key\"]", s[i], s[:end])
	}
	return step{key: s[:end]}, s[end:], nil
}

func quotedKey(s string) (step, string, error) {
	end := strings.Index(s[2:], `"]`)
	if end < 1 {
		return step{}, "", fmt.Errorf("%q does not end in \"] or names no key", s)
	}
	return step{key: s[2 : 2+end]}, s[2+end+2:], nil
}

func index(s string) (step, string, error) {
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return step{}, "", fmt.Errorf("%q lacks its ]", s)
	}
	i, err := strconv.ParseUint(s[1:end], 10, 16)
	if err != nil {
		return step{}, "", fmt.Errorf("%q is not a list index", s[1:end])
	}
	return step{index: int(i)}, s[end+1:], nil
}

// String is the text form.
func (p Path) String() string { return p.text }

// IsZero reports the path that leads nowhere.
func (p Path) IsZero() bool { return len(p.steps) == 0 }

// UnmarshalText makes a Path a string in YAML.
func (p *Path) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePath(string(text))
	return err
}

// MarshalText is the reverse of UnmarshalText.
func (p Path) MarshalText() ([]byte, error) { return []byte(p.text), nil }

// Get follows the path through decoded JSON (maps and slices of any). A null counts as absent.
func (p Path) Get(obj map[string]any) (any, bool) {
	if p.IsZero() {
		return nil, false
	}
	var at any = obj
	for _, s := range p.steps {
		if s.key != "" {
			m, ok := at.(map[string]any)
			if !ok {
				return nil, false
			}
			at = m[s.key]
			continue
		}
		l, ok := at.([]any)
		if !ok || s.index >= len(l) {
			return nil, false
		}
		at = l[s.index]
	}
	return at, at != nil
}
