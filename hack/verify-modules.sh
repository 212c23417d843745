#!/usr/bin/env bash
# go.mod and go.sum are tidy, in both modules, and every k8s.io staging module is at the version that belongs to k8s.io/kubernetes.
set -euo pipefail
cd "$(dirname "$0")/.."
for dir in . hack/tools; do
  go -C "$dir" mod tidy -diff || { echo "$dir/go.mod is not tidy (run make update)" >&2; exit 1; }
done
want=$(sed -n 's|^[[:space:]]*k8s.io/kubernetes v1\.\([0-9.]*\).*|v0.\1|p' go.mod | head -n 1)
if grep -E '^replace k8s.io/' go.mod | grep -v " $want\$"; then
  echo "the lines above replace a staging module at another version than $want" >&2; exit 1
fi
