#!/usr/bin/env bash
# Is head's reference scheduler slower than base's? Both are executables of muster, run in turns on this machine. The exit code
# is the gate's, which make would turn into its own 2: 0 no regression, and one would have been seen; 4 a regression; 3
# undecidable; 1 a scheduler broke rules. The verdict is in perf.md and perf.yaml as well.
#
#   make build && hack/perf-gate.sh old/muster new/muster [flags of muster perf gate]
#
# PERF_GATE says what is tested on which load. By default it is the time that the scheduler's algorithm takes: on this load the
# reference scheduler is within a few per cent of the ceiling, so its throughput is the API server's. A scheduler without
# kube-scheduler's histograms of its algorithm is gated by --figure scheduler-cpu (muster perf gate --base-exec --head-exec).
# BIN names the muster that measures.
set -euo pipefail
bin=${BIN:-$(dirname "$0")/../bin/muster}
[ $# -ge 2 ] || { echo "perf-gate: two executables of muster are needed: hack/perf-gate.sh BASE HEAD [flags]" >&2; exit 2; }
[ -x "$bin" ] || { echo "perf-gate: there is no $bin; run make build first, or name it with BIN=" >&2; exit 2; }
base=$1 head=$2
shift 2
# shellcheck disable=SC2086 # several words
exec "$bin" perf gate --base "$base" --head "$head" ${PERF_GATE:---scenario gangs-of-8 --nodes 500 --figure solve} "$@"
