#!/usr/bin/env bash
# The full sizes, up to 5,000 nodes: hours. The exit code is that of muster perf run, which make would turn into its own 2, but
# for one: that some side has no valid run of some scenario (3) is what a night on a shared machine may end with. Those runs are
# listed with their reasons, and the others stand; it is an error only where nothing at all was measured. Rules that were broken
# (1) are one.
#
#   make build && hack/perf-nightly.sh [flags of muster perf run]
#
# PERF_SCHEDULERS names what is measured beside the reference scheduler, OUT the directory, BIN the muster that measures.
set -euo pipefail
bin=${BIN:-$(dirname "$0")/../bin/muster}
[ -x "$bin" ] || { echo "perf-nightly: there is no $bin; run make build first, or name it with BIN=" >&2; exit 2; }
out=${OUT:-muster-out/nightly-$(date +%Y%m%d-%H%M%S)}
# Each scenario in the size it is named for.
scenarios=(
  singles gangs-of-3 gangs-of-8 gangs-of-256 gangs-of-1000 basic-groups-of-3 mixed-gangs rack-gangs-of-4 rack-gangs-of-1000
  composites tenk-500x20 preemption-100 reclaim infeasible-gang feasible-gangs power-of-two perfect-fit part-filled fragmented
  burst-gangs-of-8 devices-gangs-of-8 no-devices-gangs-of-8
)
rc=0
"$bin" perf run --scheduler "${PERF_SCHEDULERS:-kube-scheduler,ceiling},reference" --runs 3 --discard-histories \
  --scenario "$(IFS=,; echo "${scenarios[*]}")" --out "$out" "$@" || rc=$?
if [ $rc -eq 3 ] && grep -q '^  valid: [1-9]' "$out/perf.yaml"; then
  echo "perf-nightly: not every side has a valid run of every scenario; the reasons are in $out/perf.md" >&2
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    echo "::warning title=perf-nightly::not every side has a valid run of every scenario; the summary has the reasons"
  fi
  exit 0
fi
exit $rc
