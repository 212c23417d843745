package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"muster/suites"
)

// IDs of requirements, sorted.
func IDs(requirements []suites.Requirement) []string {
	out := make([]string, len(requirements))
	for i, r := range requirements {
		out[i] = r.ID
	}
	slices.Sort(out)
	return out
}

// Digest identifies a set of requirement IDs: "sha256:" and the hash of the sorted IDs, one a line. Two reports with
// the same digest were asked the same questions. Check it with: sort ids | sha256sum.
func Digest(ids []string) string {
	sorted := slices.Sorted(slices.Values(ids))
	sorted = slices.Compact(sorted)
	text := ""
	if len(sorted) > 0 {
		text = strings.Join(sorted, "\n") + "\n"
	}
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}
