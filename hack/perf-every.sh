#!/usr/bin/env bash
# Every performance scenario once, small, with the reference scheduler: is each of them still a load that can be created,
# scheduled and measured? The figures mean nothing.
#
#   make build && hack/perf-every.sh                  all of them, a quarter of a minute each
#   make build && hack/perf-every.sh composites …     these
#
# BIN names the binary, SCHEDULER another scheduler, OUT the directory of the reports, one a scenario.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${BIN:-bin/muster}
[ -x "$bin" ] || { echo "perf-every: there is no $bin; run make build first, or name it with BIN=" >&2; exit 2; }
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
[ $# -gt 0 ] || set -- $("$bin" list perf -o json | sed -n 's|.*"name": "\([^"]*\)".*|\1|p')
failed=()
for s in "$@"; do
  # A tenth of its own size at least; where that has no sense (a multiple of something, a load that needs more), all of it.
  nodes=$("$bin" list perf -o json | awk -v s="\"$s\"," '$1 == "\"name\":" {on = $2 == s} on && $1 == "\"nodes\":" {sub(",", "", $2); print $2}')
  small=$((nodes > 1000 ? nodes / 10 : nodes))
  # A twentieth of the groups, where they follow the scale.
  scale=$("$bin" list perf -o json | awk -v s="\"$s\"," '$1 == "\"name\":" {on = $2 == s} on && $1 == "\"scales\":" {print ($2 ~ /^true/) ? 0.05 : 1}')
  run() {
    rc=0
    "$bin" perf run --scheduler "$1" --scenario "$s" --nodes "$small" --scale "$scale" --runs 1 --indicative \
      --discard-histories --out "$out/$s-$1" > "$out/$s.txt" 2> "$out/$s.log" || rc=$?
  }
  run "${SCHEDULER:-reference}"
  # So small a burst is over before it can tell anything of the reference scheduler; kube-scheduler is slower.
  if [ $rc -eq 3 ] && [ -z "${SCHEDULER:-}" ] && grep -q 'the scheduler kept up with the creator' "$out/$s.log"; then
    run kube-scheduler
  fi
  echo "$s: $small nodes, scale $scale: exit $rc"
  [ $rc -eq 0 ] || { failed+=("$s"); tail -n 5 "$out/$s.log" >&2; }
done
echo "reports: $out" >&2
[ ${#failed[@]} -eq 0 ] || { echo "perf-every: ${failed[*]}" >&2; exit 1; }
