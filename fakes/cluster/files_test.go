package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/csv"
	"encoding/pem"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

func TestPreparedFilesAreOurs(t *testing.T) {
	o, err := Options{Name: "files", Parent: t.TempDir(), Keep: true}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	e := &Embedded{options: o, users: newUsers()}
	if _, err := e.prepare(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop(t.Context()) }()
	err = filepath.WalkDir(e.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %#o: others can get at it", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, path := range []string{e.Kubeconfig(), e.SchedulerKubeconfig()} {
		c, err := clientcmd.BuildConfigFromFlags("", path)
		if err != nil {
			t.Fatal(err)
		}
		if c.Host != e.Server() || len(c.BearerToken) != 64 || seen[c.BearerToken] {
			t.Errorf("%s: server %s, token of %d bytes, known %t", path, c.Host, len(c.BearerToken), seen[c.BearerToken])
		}
		seen[c.BearerToken] = true
	}
}

func TestServingCertificate(t *testing.T) {
	now := time.Now()
	p, err := newPKI(t.TempDir(), now)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(p.path(servingCertFile), p.path(servingKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(p.ca) {
		t.Fatal("the authority's certificate cannot be read")
	}
	for _, name := range []string{"127.0.0.1", "localhost", serviceIP, "kubernetes.default.svc"} {
		if _, err := cert.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: now}); err != nil {
			t.Errorf("the serving certificate is not good for %s: %v", name, err)
		}
	}
	data, err := os.ReadFile(p.path(serviceAccountKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	if block, _ := pem.Decode(data); block == nil || block.Type != "EC PRIVATE KEY" {
		t.Error("the service account key is not a private key")
	}
}

func TestTokenFile(t *testing.T) {
	users := newUsers()
	rows, err := csv.NewReader(strings.NewReader(string(tokenCSV(users)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		u := users[row[2]]
		if u == nil || row[0] != u.token || row[1] != u.name || row[3] != strings.Join(u.groups, ",") {
			t.Errorf("row %q is nobody's", row[1:])
		}
	}
	if len(rows) != len(users) {
		t.Errorf("%d rows for %d users", len(rows), len(users))
	}
}

func TestWriteSecretReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeSecret(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if err := writeSecret(filepath.Join(path, "below"), nil); err == nil {
		t.Error("a file below a file could be written")
	}
}

func TestRunDirs(t *testing.T) {
	parent := t.TempDir()
	alive, lock, err := newRunDir(Options{Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	dead, deadLock, err := newRunDir(Options{Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	_ = deadLock.Close() // what the kernel does for a process that ends
	kept, _, err := newRunDir(Options{Parent: parent, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	sweep(parent)
	for dir, want := range map[string]bool{alive: true, dead: false, kept: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v; want it there: %t", dir, err, want)
		}
		if !IsRunDir(dir) {
			t.Errorf("IsRunDir(%s) = false", dir)
		}
	}
	_ = lock.Close()
	for _, path := range []string{"", "/", "muster-run-1", "/home/me"} {
		if IsRunDir(path) {
			t.Errorf("IsRunDir(%q) = true", path)
		}
	}
	if _, _, err := newRunDir(Options{Parent: filepath.Join(parent, "absent")}); err == nil {
		t.Error("a run directory was made in a folder that is not there")
	}
}
