package guard

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogIsCapped(t *testing.T) {
	const limit = 256 << 10
	path := filepath.Join(t.TempDir(), "log")
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // as process.Start opens it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	if _, err := log.WriteString("an earlier start\n"); err != nil {
		t.Fatal(err)
	}
	from, to := io.Pipe()
	go func() {
		for i := range 200_000 {
			_, _ = fmt.Fprintf(to, "line %d of many\n", i)
			if i%10_000 == 0 {
				if info, err := os.Stat(path); err != nil || info.Size() > limit+128<<10 {
					t.Errorf("after line %d: %v bytes, %v", i, info.Size(), err)
				}
			}
		}
		_ = to.Close()
	}()
	copyCapped(log, from, limit)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > limit+64<<10 || bytes.IndexByte(data, 0) >= 0 {
		t.Errorf("%d bytes (a hole: %t), want at most about %d and none", len(data), bytes.IndexByte(data, 0) >= 0, limit)
	}
	text := string(data)
	for _, want := range []string{"an earlier start\nline 0 of many\n", "bytes of output left out", "line 199999 of many\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not hold %q", want)
		}
	}
	if !strings.HasSuffix(text, "line 199998 of many\nline 199999 of many\n") {
		t.Errorf("it ends with %q", text[max(0, len(text)-80):])
	}
}

func TestShortOutputIsKeptWhole(t *testing.T) {
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	copyCapped(log, strings.NewReader("one\ntwo\n"), logCap)
	if data, err := os.ReadFile(log.Name()); err != nil || string(data) != "one\ntwo\n" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestFullDiskDoesNotBlockTheCommand(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }()
	in := strings.NewReader(strings.Repeat("x", 1<<20))
	copyCapped(full, in, 1<<10)
	if in.Len() > 0 {
		t.Errorf("%d bytes were never read", in.Len())
	}
}
