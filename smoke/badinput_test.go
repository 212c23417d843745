package smoke

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadInputIsRefusedBeforeAnythingStarts(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		hint string
	}{
		"profile":     {[]string{"conformance", "--profile", "gagn"}, "gang"},
		"requirement": {[]string{"conformance", "--requirement", "GANG-01"}, "GANG-001"},
		"scenario":    {[]string{"conformance", "--scenario", "no-such-scenario"}, ""},
		"scheduler":   {[]string{"conformance", "--scheduler", "kube-schedular"}, "kube-scheduler"},
		"gate":        {[]string{"conformance", "--gates", "GenericWorklaod=false"}, "GenericWorkload"},
		"sched gate":  {[]string{"conformance", "--scheduler-gates", "GenericWorklaod=false"}, "GenericWorkload"},
		"empty flag":  {[]string{"conformance", "--scheduler-exec", ""}, "--scheduler-exec"},
		"flag":        {[]string{"conformance", "--no-such-flag"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := out(t)
			r := muster(t, append(c.args, "--out", dir)...).want(t, 2)
			if !strings.Contains(r.stderr, c.hint) {
				t.Errorf("stderr does not name %q: %s", c.hint, r.stderr)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s was created although nothing should have started", dir)
			}
		})
	}
}

func TestUnwritableOutIsSaidBeforeTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	muster(t, "conformance", "--requirement", "BASIC-001", "--out", filepath.Join(file, "out")).want(t, 2)
}

func TestCorruptHistoryNamesItsLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(file, []byte("{\"kind\":\"muster/history\",\"format\":1,\"storage\":\"single-etcd\",\"scheduler\":{\"name\":\"x\",\"schedulerNames\":[\"x\"],\"dialect\":\"native\",\"settleBase\":1}}\n{\"seq\":1,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := muster(t, "judge", file).want(t, 2)
	if !strings.Contains(r.stderr, "line 2") {
		t.Errorf("stderr does not name line 2: %s", r.stderr)
	}
}
