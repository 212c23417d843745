#!/usr/bin/env bash
# What takes too long for every change: properties with 10,000 cases, every fuzzer for a minute, processes killed again
# and again, and the suites ten times in a row with the same verdicts. Before an issue is closed, and nightly.
set -euo pipefail
cd "$(dirname "$0")/.."
# The longest package (scheduler/control: 10,000 histories before a make-believe API server) takes 40 minutes of a core.
CASES=${CASES:-10000} hack/test.sh -timeout 120m
grep -rl --include='*_test.go' '^func Fuzz' . | sort -u | while read -r file; do
  for name in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
    echo "== $name in $(dirname "$file")"
    # Minimising is what a slow target spends its minute on; one execution is enough to go on.
    go test "$(dirname "$file")" -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-60s}" -fuzzminimizetime 1x
  done
done
hack/soak-judge.sh
MUSTER_BIN=$PWD/bin/muster go test -count="${KILLS:-10}" -timeout 60m -run 'Killed|UpStatusDown' ./smoke
hack/perf-every.sh
go run ./hack/gates -bin bin/muster
MUSTER_KILLS=${SCHEDULER_KILLS:-50} MUSTER_BIN=$PWD/bin/muster go test -count=1 -timeout 30m -run GangsSurviveKills ./smoke
MUSTER_ROUNDS=${ROUNDS:-20} MUSTER_BIN=$PWD/bin/muster go test -count=1 -timeout 30m -run RoundsThenARestartLive ./smoke
hack/stability.sh "${RUNS:-10}"
