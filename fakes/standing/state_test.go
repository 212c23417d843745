package standing

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/fakes/cluster/process"
	"muster/fakes/nodes"
)

// ownRoot gives a test a state folder of its own.
func ownRoot(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	return Root()
}

func TestRootIsOurs(t *testing.T) {
	root := ownRoot(t)
	if err := secureRoot(root); err != nil {
		t.Fatal(err)
	}
	if err := secureRoot(root); err != nil {
		t.Errorf("the second time: %v", err)
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := secureRoot(root); err == nil || !strings.Contains(err.Error(), "chmod") {
		t.Errorf("a folder others can enter: %v", err)
	}
	_ = os.Remove(root)
	if err := os.Symlink(t.TempDir(), root); err != nil {
		t.Fatal(err)
	}
	if err := secureRoot(root); err == nil {
		t.Error("a link to somewhere else was taken for the state folder")
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	if filepath.Dir(Root()) != filepath.Clean(os.TempDir()) {
		t.Errorf("without XDG_RUNTIME_DIR the root is %s", Root())
	}
}

func TestOneNameOneCluster(t *testing.T) {
	ownRoot(t)
	dir, l, err := hold("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := hold("a"); !errors.As(err, new(*InUseError)) {
		t.Errorf("a second cluster of the name: %v", err)
	}
	if _, other, err := hold("b"); err != nil {
		t.Errorf("a cluster of another name: %v", err)
	} else {
		_ = other.Close()
	}
	if err := writeRecord(dir, Record{Name: "a", Phase: Ready}); err != nil {
		t.Fatal(err)
	}
	if s, err := Look("a"); err != nil || s.Phase != Ready {
		t.Errorf("while it is held: %+v, %v", s, err)
	}
	_ = l.Close() // what the kernel does for a supervisor that is killed
	if s, err := Look("a"); err != nil || s.Phase != Dead {
		t.Errorf("after its holder has gone: %+v, %v", s, err)
	}
}

func TestDeadClusterMakesWay(t *testing.T) {
	ownRoot(t)
	runDir := filepath.Join(t.TempDir(), "muster-run-1")
	if err := os.Mkdir(runDir, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, l, err := hold("a")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeRecord(dir, Record{Name: "a", Phase: Ready, RunDir: runDir}); err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	_, l, err = hold("a")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := os.Stat(runDir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the dead cluster's run directory is still there")
	}
	if _, err := readRecord(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the dead cluster's record is still there")
	}
}

func TestDownOfTheDead(t *testing.T) {
	root := ownRoot(t)
	if err := Down(t.Context(), "a"); !errors.As(err, new(*NotUpError)) {
		t.Errorf("down of nothing: %v", err)
	}
	for name, r := range map[string]Record{
		"plain": {}, "kept": {Keep: true}, "foreign": {},
	} {
		r.Name, r.Phase, r.RunDir = name, Ready, filepath.Join(t.TempDir(), "muster-run-"+name)
		if name == "foreign" { // a record that has been tampered with removes nothing
			r.RunDir = filepath.Join(t.TempDir(), "home")
		}
		if err := os.Mkdir(r.RunDir, 0o700); err != nil {
			t.Fatal(err)
		}
		dir, l, err := hold(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeRecord(dir, r); err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
		if err := Down(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(r.RunDir); (err == nil) == (name == "plain") {
			t.Errorf("%s: the run directory is there: %t", name, err == nil)
		}
	}
	if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
		t.Error("with the last cluster gone the state folder is still there")
	}
}

// A supervisor that hears is asked; the lock tells when it has ended. Here sleep stands for it, holding the lock.
func TestDownEndsTheSupervisor(t *testing.T) {
	ownRoot(t)
	dir, l, err := hold("a")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sleep", "300")
	cmd.ExtraFiles = []*os.File{l.File}
	if err := cmd.Start(); err != nil {
		t.Skipf("no sleep to start: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	_ = l.Close()
	at, err := process.StartTime(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeRecord(dir, Record{Name: "a", PID: cmd.Process.Pid, Started: at + 1}); err != nil {
		t.Fatal(err)
	}
	if signalSupervisor(dir, 0) {
		t.Error("a process with another start time was taken for the supervisor")
	}
	if err := writeRecord(dir, Record{Name: "a", PID: cmd.Process.Pid, Started: at}); err != nil {
		t.Fatal(err)
	}
	if err := Down(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "terminated") {
		t.Errorf("the supervisor ended with %v, want it to have been asked", err)
	}
	if names, err := Names(); err != nil || len(names) != 0 {
		t.Errorf("left: %q, %v", names, err)
	}
}

func TestSpecCheck(t *testing.T) {
	good := Spec{Name: "a", ReadyTimeout: time.Second, Nodes: nodes.Pool{Name: "node", Count: 3}}
	if err := good.Check(); err != nil {
		t.Errorf("a good spec: %v", err)
	}
	for want, change := range map[string]func(*Spec){
		"DNS label":       func(s *Spec) { s.Name = "../a" },
		"unknown feature": func(s *Spec) { s.Gates = map[string]bool{"Nope": true} },
		"needs": func(s *Spec) {
			s.Gates = map[string]bool{"GenericWorkload": false}
			s.SchedulerGates = map[string]bool{"WorkloadWithJob": true}
		},
		"unknown scheduler": func(s *Spec) { s.Scheduler = "x" },
		"no time":           func(s *Spec) { s.ReadyTimeout = 0 },
		"count":             func(s *Spec) { s.Nodes.Count = -1 },
		"GiB of memory":     func(s *Spec) { s.Nodes.Count = 99999999999 },
	} {
		s := good
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestSpecCheckLooksWhereTheRunGoes(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	s := Spec{Name: "a", ReadyTimeout: time.Second, Nodes: nodes.Pool{Name: "node", Count: 3}}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %v, want one that names TMPDIR", err)
	}
}

func TestFollow(t *testing.T) {
	var said []string
	note := func(s string) { said = append(said, s) }
	r, err := follow(strings.NewReader(`{"progress":"one"}`+"\n"+`{"progress":"two"}`+"\n"+`{"ready":{"name":"a"}}`+"\n"), note)
	if err != nil || r.Name != "a" || strings.Join(said, " ") != "one two" {
		t.Errorf("%+v, %v after %q", r, err, said)
	}
	for stream, want := range map[string]string{
		`{"error":"no room"}` + "\n": "no room",
		`{"progress":"one"}` + "\n":  "unexpected EOF",
		"{\n":                        "reading what the supervisor says",
	} {
		if _, err := follow(strings.NewReader(stream), note); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", stream, err, want)
		}
	}
}
