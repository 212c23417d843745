#!/usr/bin/env bash
# go vet and staticcheck. staticcheck is pinned in hack/tools, a module of its own, so that a linter never steers the
# versions Kubernetes is built with. go vet is the toolchain's, which go.mod pins.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
go -C hack/tools build -o ../../bin/tools/staticcheck honnef.co/go/tools/cmd/staticcheck
go vet ./...
# fakes/component and what links it are left out: staticcheck would analyse the whole of Kubernetes for them.
mapfile -t packages < <(go list ./... | grep -v -e '^muster/fakes/component' -e '^muster/cmd/muster$')
bin/tools/staticcheck "${packages[@]}"
