#!/usr/bin/env bash
# docs/proof.md is a run of muster prove on this machine. It takes long, so make update leaves it alone unless MUSTER_PROOF
# names stored proofs (comma-separated proof.yaml files), which are put together, or is "run".
set -euo pipefail
cd "$(dirname "$0")/.."
case "${MUSTER_PROOF:-}" in
  "") echo "MUSTER_PROOF is not set: docs/proof.md is left as it is" ;;
  run) bin/muster prove -o markdown > docs/proof.md.new || [ $? -eq 1 ] ;;
  *) bin/muster prove --from "$MUSTER_PROOF" -o markdown > docs/proof.md.new || [ $? -eq 1 ] ;;
esac
if [ -s docs/proof.md.new ]; then mv docs/proof.md.new docs/proof.md; fi
