#!/usr/bin/env bash
# Every class of a GPU model's drivers evaluates against every device the model publishes.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
go run ./hack/devices
