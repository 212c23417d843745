#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
trap 'rm -f docs/requirements.md.new' EXIT
go run ./hack/requirements > docs/requirements.md.new
mv docs/requirements.md.new docs/requirements.md
