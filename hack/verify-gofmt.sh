#!/usr/bin/env bash
# Every Go file is gofmt'ed.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=$(git ls-files --cached --others --exclude-standard '*.go' | xargs gofmt -l)
if [ -n "$bad" ]; then
  echo "not gofmt'ed (run make update):" >&2; echo "$bad" >&2; exit 1
fi
