#!/usr/bin/env bash
# docs/proof.md from stored proofs. Making these takes long (bin/muster prove, or parts of it with --mutant), so that nothing
# is done unless MUSTER_PROOF names them: MUSTER_PROOF="muster-out/*/proof.yaml" hack/update-proof.sh
set -euo pipefail
cd "$(dirname "$0")/.."
[ -n "${MUSTER_PROOF:-}" ] || { echo "MUSTER_PROOF names no stored proofs: docs/proof.md is left as it is"; exit 0; }
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
trap 'rm -f docs/proof.md.new' EXIT
# shellcheck disable=SC2086 # a pattern, or several files
go run ./hack/proof $MUSTER_PROOF > docs/proof.md.new
mv docs/proof.md.new docs/proof.md
