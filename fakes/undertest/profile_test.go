package undertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuiltinProfiles(t *testing.T) {
	for _, kind := range []string{KubeScheduler, None, execKind} {
		p, ok := BuiltinProfile(kind)
		if !ok || p.Name == "" {
			t.Errorf("BuiltinProfile(%q) = %+v, %t", kind, p, ok)
		}
	}
	if _, ok := BuiltinProfile("nobody"); ok {
		t.Error("nobody has a profile")
	}
}

func TestLoadProfile(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"complete":     {"name: mine\nversion: v1\nschedulerNames: [a, b.c]\ndialect: native\nunsupported: [TAS-001]\nsettleRoot: 1\nsettleBase: 0\norganization: o\nproject: p\nurl: u\ncontact: c\n", ""},
		"defaults":     {"name: mine\n", ""},
		"misspelt":     {"name: mine\n\nsettleRot: 3\n", "line 3"},
		"wrong type":   {"name: mine\nsettleRoot: soon\n", "line 2"},
		"twice":        {"name: mine\nname: yours\n", "line 2"},
		"empty":        {"", "empty"},
		"nameless":     {"version: v1\n", "name is missing"},
		"two":          {"name: a\n---\nname: b\n", "more than one"},
		"no names":     {"name: a\nschedulerNames: []\n", "schedulerNames is empty"},
		"bad name":     {"name: a\nschedulerNames: [A_B]\n", "schedulerNames[0]"},
		"same name":    {"name: a\nschedulerNames: [a, a]\n", "listed twice"},
		"never ready":  {"name: a\nsettleRoot: 0\nsettleBase: 0\n", "settle bound"},
		"negative":     {"name: a\nsettleBase: -1\n", "negative"},
		"too short":    {"name: a\nsettleRoot: 0\nsettleBase: 0.5\n", "at least 1s"},
		"huge":         {"name: a\nsettleRoot: 1e300\n", "more than 24h"},
		"endless":      {"name: a\nsettleRoot: .inf\n", "finite"},
		"no number":    {"name: a\nsettleBase: .nan\n", "finite"},
		"metrics":      {"name: a\nmetrics: https://127.0.0.1:10259/metrics\n", ""},
		"no URL":       {"name: a\nmetrics: 10259\n", "metrics:"},
		"no host":      {"name: a\nmetrics: http:///metrics\n", "metrics:"},
		"a file":       {"name: a\nmetrics: file:///metrics\n", "metrics:"},
		"no dialect":   {"name: a\ndialect: ''\n", "dialect"},
		"not a struct": {"- a\n", "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "profile.yaml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadProfile(path)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("unexpected error: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := LoadProfile(filepath.Join(t.TempDir(), "absent.yaml")); err == nil {
		t.Error("an absent file was no error")
	}
}
