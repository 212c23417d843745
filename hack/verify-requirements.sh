#!/usr/bin/env bash
# docs/requirements.md is what the catalogue says.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
diff -u docs/requirements.md <(go run ./hack/requirements) || { echo "docs/requirements.md is stale (run make update)" >&2; exit 1; }
