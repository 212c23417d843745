#!/usr/bin/env bash
# What the performance gate can see: records a scheduler beside the same one halted for a tenth of its time, in blocks of
# A B B A, and resamples gates from the runs (hack/sensitivity): the detection rate for a loss of ten per cent, and the
# false-alarm rate of equal sides, each with its interval.
#
#   make build && hack/perf-sensitivity.sh            record and resample
#   hack/perf-sensitivity.sh perf.yaml                resample a report that was recorded before; PAIRS of a gate (20)
#
# SCENARIO, NODES and SCALE choose a load at which the scheduler is the limit, and not the API server: elsewhere the
# handicap has little effect, and the first line printed says how much it had. By default that is gangs that must share a rack, of
# which kube-scheduler tries every one. FIGURE is what the gate goes by (solve); the throughput of the same runs is studied after
# it. Where FIGURE is throughput the ceiling runs beside the two, a third of the time, and perf.md says what share of it they
# reached. SCHEDULER says which one, RUNS how many runs a side (60 at least), HANDICAP for what share of the time one of them is
# halted, OUT the directory.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
bin=${BIN:-bin/muster}
report=${1:-}
if [ -z "$report" ]; then
  [ -x "$bin" ] || { echo "perf-sensitivity: there is no $bin; run make build first, or name it with BIN=" >&2; exit 2; }
  out=${OUT:-muster-out/sensitivity-$(date +%Y%m%d-%H%M%S)}
  # A gate's exit code is its answer about these sixty runs; what is asked here is another question. Only a run that
  # could not be made, or was interrupted, ends this.
  rc=0
  "$bin" perf gate --base "$bin" --head "$bin" --scheduler "${SCHEDULER:-kube-scheduler}" --head-handicap "${HANDICAP:-0.1}" \
    --scenario "${SCENARIO:-rack-gangs-of-4}" --nodes "${NODES:-1000}" --scale "${SCALE:-0.15}" --figure "${FIGURE:-solve}" --runs "${RUNS:-60}" \
    --discard-histories --out "$out" || rc=$?
  case $rc in 0 | 3 | 4) ;; *) exit "$rc" ;; esac
  report=$out/perf.yaml
fi
for figure in "" pods/s; do
  go run ./hack/sensitivity ${SEED:+-seed "$SEED"} ${PAIRS:+-pairs "$PAIRS"} ${figure:+-figure "$figure"} "$report"
done
