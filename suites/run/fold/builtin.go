package fold

import _ "embed"

//go:embed known-findings.yaml
var builtin []byte

// BuiltinKnown are the known findings that come with muster.
func BuiltinKnown() ([]KnownFinding, error) { return ParseKnown(builtin) }
