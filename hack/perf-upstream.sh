#!/usr/bin/env bash
# Runs scheduler_perf's own cases, from the module cache, and prints the pods/s it reports: what muster's twins of these
# cases are held against (docs/performance.md says what each of the two counts).
#
#   hack/perf-upstream.sh                    the two cases of 5,000 nodes (some minutes each, on a machine that does nothing else)
#   hack/perf-upstream.sh CASE…              others: GangScheduling/100Nodes_10Gangs, TopologyAwareScheduling/…, BasicScheduling/…
#   RUNS=3 hack/perf-upstream.sh …           each so often
#   OUT=DIR hack/perf-upstream.sh …          keep logs and perf-dash's JSON files there (default: a new temporary folder)
#
# It needs Go and nothing else. Test binaries and etcd are built in a module of their own with the versions of this
# repository's go.mod, and kept in $XDG_CACHE_HOME/muster (default ~/.cache/muster). Nothing in this repository changes.
set -euo pipefail
cd "$(dirname "$0")/.."
repo=$PWD
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=(GangScheduling/5000Nodes_1000Gangs_3000Pods TopologyAwareScheduling/5000Nodes_750Gangs_3000Pods)

# folder is the package of a case.
folder() {
  case $1 in
    GangScheduling/*) echo gangscheduling ;;
    TopologyAwareScheduling/*) echo tas ;;
    BasicScheduling/*) echo basicscheduling ;;
    *) echo "perf-upstream: $1 is no case of scheduler_perf's podgroup folder: use GangScheduling/…, TopologyAwareScheduling/… or BasicScheduling/…" >&2; exit 2 ;;
  esac
}
for c in "${cases[@]}"; do folder "$c" >/dev/null; done

# The flags of the Makefile, so that what is compiled already is not compiled again.
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
version=$(sed -n 's|^[[:space:]]*k8s.io/kubernetes \(v[0-9.]*\).*|\1|p' go.mod | head -n 1)
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/muster/scheduler_perf-$version
mkdir -p "$cache/module" "$cache/bin"
sed 's|^module .*|module scheduler-perf-of-muster|' go.mod > "$cache/module/go.mod"
cp go.sum "$cache/module/go.sum"
cd "$cache/module"
upstream=k8s.io/kubernetes/test/integration/scheduler_perf/podgroup
echo "building etcd and scheduler_perf of Kubernetes $version into $cache/bin" >&2
go build -o "$cache/bin/etcd" go.etcd.io/etcd/server/v3
for c in "${cases[@]}"; do
  f=$(folder "$c")
  go test -vet=off -c -o "$cache/bin/$f.test" "$upstream/$f"
done
source=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/test/integration/scheduler_perf/podgroup
cd "$repo"

out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
out=$(cd "$out" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
for c in "${cases[@]}"; do
  f=$(folder "$c")
  for n in $(seq "${RUNS:-1}"); do
    name=${c//\//_}-$n
    log=$out/$name.log
    # The tests read their configuration from where they lie. A benchmark that runs once: -benchtime 1ns.
    if ! (cd "$source/$f" && PATH="$cache/bin:$PATH" TMPDIR="$scratch" "$cache/bin/$f.test" -test.run '^$' \
        -test.bench "^BenchmarkPerfScheduling\$/^${c%%/*}\$/^${c#*/}\$" -test.benchtime 1ns -test.timeout 60m \
        -perf-scheduling-label-filter= -with-data-items-unique-id=false -data-items-dir="$out/$name" > "$log" 2>&1); then
      echo "$c run $n: failed; the end of $log:" >&2
      tail -n 20 "$log" >&2
      failed=1
      continue
    fi
    # One line holds every figure of the benchmark: value, then unit.
    figure() { grep -o "[0-9.e+-]*[[:space:]]$1" "$log" | head -n 1 | cut -f1; }
    average=$(figure SchedulingThroughput/Average)
    took=$(figure SchedulingDuration/Duration)
    pods=$(sed -n 's|.*_\([0-9]*\)Pods.*|\1|p' <<< "$c")
    line="$c run $n:"
    if [ -n "$average" ]; then
      line+=" SchedulingThroughput $average pods/s (mean of one-second looks);"
    else
      line+=" no SchedulingThroughput (over within two looks);"
    fi
    line+=" SchedulingDuration ${took:-n/a} s"
    [ -z "$took" ] || [ -z "$pods" ] || line+=", $(awk "BEGIN{printf \"%.1f\", $pods/$took}") pods/s over all of it"
    echo "$line"
  done
done
echo "logs and perf-dash's JSON files: $out" >&2
exit $failed
