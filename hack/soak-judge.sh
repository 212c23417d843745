#!/usr/bin/env bash
# A record of a million events is judged within a minute and two gibibytes, on two cores with nothing else to do.
# EVENTS, SECONDS_MAX and MIB_MAX change what is asked.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(MUSTER_EVENTS=${EVENTS:-1000000} go test -run '^$' -bench JudgeRecord -benchtime 1x -timeout 30m ./suites/run/conduct)
echo "$out"
echo "$out" | awk -v most_s="${SECONDS_MAX:-60}" -v most_mib="${MIB_MAX:-2048}" '
  /^BenchmarkJudgeRecord/ {
    found = 1
    for (i = 2; i <= NF; i++) {
      if ($i == "ns/op") s = $(i-1) / 1e9
      if ($i == "MiB-peak") mib = $(i-1)
    }
  }
  END {
    if (!found) { print "judging a record: the benchmark said nothing" > "/dev/stderr"; exit 1 }
    printf "judged in %.1f s and %d MiB (at most %s s and %s MiB)\n", s, mib, most_s, most_mib
    if (s > most_s || mib > most_mib) exit 1
  }'
