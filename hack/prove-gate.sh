#!/usr/bin/env bash
# Does the performance gate catch the schedulers that are right and too slow (muster list mutants names them), and does it leave
# the reference scheduler alone? Each is held against the reference scheduler by what its algorithm takes, in runs by turns.
#
#   make build && hack/prove-gate.sh
#
# BIN names the binary, RUNS the runs a side (12 at least), OUT the directory. Exit 1 says that a mutant got through, or that
# the reference scheduler did not.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${BIN:-bin/muster}
[ -x "$bin" ] || { echo "prove-gate: there is no $bin; run make build first, or name it with BIN=" >&2; exit 2; }
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
failed=0

# gate SCHEDULER SCENARIO NODES SCALE WANTED…: one gate, and the exit codes it may have.
gate() {
  local name=$1 scenario=$2 nodes=$3 scale=$4 rc=0
  shift 4
  "$bin" perf gate --base "$bin" --head-scheduler "$name" --scenario "$scenario" --nodes "$nodes" --scale "$scale" --figure solve \
    --runs "${RUNS:-12}" --discard-histories --out "$out/${name//:/-}-$scenario" > "$out/${name//:/-}-$scenario.txt" || rc=$?
  echo "$name on $scenario: exit $rc"
  tail -n 1 "$out/${name//:/-}-$scenario.txt"
  case " $* " in *" $rc "*) ;; *) echo "prove-gate: wanted one of: $*" >&2; failed=1 ;; esac
}

# An equal that cannot be decided is no false alarm.
gate reference gangs-of-8 500 0.25 0 3
gate mutant:slowed-by-50 gangs-of-8 500 0.25 4
gate mutant:quadratic-in-domains rack-gangs-of-4 2000 0.1 4
echo "reports: $out" >&2
exit $failed
