#!/usr/bin/env bash
# docs/requirements.md is what the catalogue says. A catalogue with something wrong in it makes no page: then what is wrong is
# all that is said, and not that every line of the page is missing besides.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
page=$(mktemp)
trap 'rm -f "$page"' EXIT
go run ./hack/requirements > "$page"
diff -u docs/requirements.md "$page" || { echo "docs/requirements.md is stale (run make update)" >&2; exit 1; }
