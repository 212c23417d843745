package undertest

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzProfile: no text makes the reader of scheduler profiles panic, and one that it accepts is valid.
func FuzzProfile(f *testing.F) {
	files, err := filepath.Glob("profiles/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no profiles to begin with: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("name: x\nsettleRoot: .inf\n"))
	f.Add([]byte("&a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parseProfile(data)
		if err == nil && p.Validate() != nil {
			t.Fatalf("an accepted profile is not valid: %v", p.Validate())
		}
	})
}
