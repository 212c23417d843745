#!/usr/bin/env bash
# Run the suites N times in a row (default 10), judge every stored history again, and compare: the verdicts of all runs
# must be the same, live and offline. Prints the last lines as Markdown; arguments after N go to muster conformance.
set -euo pipefail
cd "$(dirname "$0")/.."
n=${1:-10}
shift || true
bin=${MUSTER_BIN:-bin/muster}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
verdicts() { sed -n 's/^\([A-Z]*-[0-9]*\)  *[A-Z]*  .*  \(Pass\|Fail\|Inconclusive\|Error\|NotSupported\|Skipped\|Observed\).*/\1 \2/p' "$1"; }
bad=0
for i in $(seq "$n"); do
  code=0
  "$bin" conformance --out "$dir/out$i" "$@" >"$dir/live$i.txt" 2>"$dir/live$i.err" || code=$?
  again=0
  "$bin" judge "$dir/out$i"/history/*.jsonl >"$dir/again$i.txt" 2>"$dir/again$i.err" || again=$?
  echo "    $(tail -n 1 "$dir/live$i.txt")"
  verdicts "$dir/live$i.txt" >"$dir/live$i.v"
  verdicts "$dir/again$i.txt" >"$dir/again$i.v"
  if ! [ -s "$dir/live$i.v" ]; then echo "run $i printed no verdicts" >&2; bad=1; fi
  if ! diff "$dir/live1.v" "$dir/live$i.v" >&2; then echo "run $i: other verdicts than run 1 (exit code $code)" >&2; bad=1; fi
  if ! diff "$dir/live$i.v" "$dir/again$i.v" >&2; then echo "run $i: judged again, other verdicts than live (exit codes $code, $again)" >&2; bad=1; fi
  if [ "$code" != 0 ]; then echo "run $i: exit code $code" >&2; bad=1; fi
  if [ "$bad" != 0 ] && [ -n "${KEEP:-}" ]; then cp -r "$dir" "$KEEP"; break; fi
done
exit $bad
