#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files --cached --others --exclude-standard '*.go' | xargs gofmt -w
