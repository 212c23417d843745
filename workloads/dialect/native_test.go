package dialect

import "testing"

func TestLoadNative(t *testing.T) {
	if _, err := Load(Native); err != nil {
		t.Fatal(err)
	}
}
