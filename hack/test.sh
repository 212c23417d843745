#!/usr/bin/env bash
# The unit and property tests. Properties are tried with CASES cases (200 by default; make soak: 10,000).
# go vet is lint's: repeated here, with the flags go test gives it, it would go through all of Kubernetes once more.
# rapid's flag exists only in packages that use rapid, so they are run apart.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=${CASES:-200}
list='{{range .TestImports}}{{if eq . "pgregory.net/rapid"}}{{$.ImportPath}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "pgregory.net/rapid"}}{{$.ImportPath}}{{end}}{{end}}'
mapfile -t with < <(go list -f "$list" ./... | sed 's/\(.*\)\1$/\1/' | sort -u)
mapfile -t without < <(go list ./... | grep -v -x '^muster/smoke$' | grep -v -x -F -f <(printf '%s\n' "${with[@]}"))
go test -vet=off "$@" "${without[@]}"
MUSTER_CASES=$cases go test -vet=off "$@" "${with[@]}" -rapid.checks="$cases"
