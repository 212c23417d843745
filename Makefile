# muster: judge and measure Kubernetes schedulers for AI and batch workloads.
# `make` alone prints help. Two commands do everything: make conformance, make test.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# One set of flags for everything that compiles: the build cache of Kubernetes takes minutes to fill and must hold.
export CGO_ENABLED := 0
export GOFLAGS     := -buildvcs=false

K8S_VERSION := $(shell sed -n 's|^[[:space:]]*k8s.io/kubernetes \(v[0-9.]*\).*|\1|p' go.mod | head -n 1)
K8S_MAJOR   := $(shell echo $(K8S_VERSION) | sed 's/^v\([0-9]*\)\..*/\1/')
K8S_MINOR   := $(shell echo $(K8S_VERSION) | sed 's/^v[0-9]*\.\([0-9]*\)\..*/\1/')
REVISION    := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
VERSION_PKG := k8s.io/component-base/version
# Kubernetes' version must be stamped, or kubectl and every client fail to parse the server's version.
LDFLAGS := -s -w \
	-X $(VERSION_PKG).gitVersion=$(K8S_VERSION) -X $(VERSION_PKG).gitMajor=$(K8S_MAJOR) -X $(VERSION_PKG).gitMinor=$(K8S_MINOR) \
	-X $(VERSION_PKG).gitTreeState=clean -X $(VERSION_PKG).buildDate=1970-01-01T00:00:00Z \
	-X main.revision=$(REVISION)

BIN := bin/muster
# What make conformance judges, and anything else for its command line. ARGS that name a scheduler take the place of
# SCHEDULER, so that they can say --scheduler-exec.
SCHEDULER ?= reference
ARGS      ?=

.PHONY: help
help: ## this text
	@echo "muster: does this scheduler pass muster?"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'
	@echo
	@echo "  SCHEDULER=…  what make conformance judges (default: $(SCHEDULER); kube-scheduler is the stock one);  ARGS='…'  further flags of the command"

.PHONY: build
build: ## bin/muster, one binary with every role (the first build compiles Kubernetes: about 12 minutes on 2 cores)
	@test -x $(BIN) || echo "building $(BIN); where Go has not compiled Kubernetes $(K8S_VERSION) before, this takes about 12 minutes on 2 cores" >&2
	go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/muster

.PHONY: conformance
conformance: build ## judge a scheduler on an embedded Kubernetes control plane; writes muster-out/<time>
	$(BIN) conformance $(if $(filter --scheduler --scheduler=% --scheduler-exec%,$(ARGS)),,$(addprefix --scheduler ,$(SCHEDULER))) $(ARGS)

.PHONY: test
test: build ## unit and property tests, then a smoke run of the built binary against real clusters
	hack/test.sh
	CGO_ENABLED=1 go test -vet=off -race $(RACE_PACKAGES)
	MUSTER_BIN=$(abspath $(BIN)) go test -vet=off -count=1 ./fakes/cluster
	MUSTER_BIN=$(abspath $(BIN)) go test -vet=off -count=1 ./perf/runner
	MUSTER_BIN=$(abspath $(BIN)) go test -vet=off -count=1 ./suites/door -ginkgo.label-filter='COND && SHOULD'
	MUSTER_BIN=$(abspath $(BIN)) go test -vet=off -count=1 -v -timeout 20m ./smoke

# Packages with goroutines of their own.
RACE_PACKAGES := ./suites/history/... ./suites/run/... ./scheduler/control

# Small clusters, few runs: a first look, and what a laptop has ten minutes for. The scenarios are those of upstream's three
# kinds of load, with gangs of a size that spans nodes.
PERF_QUICK := --scenario singles,gangs-of-8,gangs-of-256,rack-gangs-of-4 --nodes 500 --scale 0.25 --runs 3 --indicative
# What make perf and make perf-nightly measure beside one another. What make perf-gate does it on is PERF_GATE, by default what
# hack/perf-gate.sh says.
PERF_SCHEDULERS ?= kube-scheduler,ceiling

.PHONY: perf
perf: build ## a first look at the speed of kube-scheduler and the ceiling: 500 nodes, ten minutes on 2 cores
	$(BIN) perf run --scheduler $(PERF_SCHEDULERS) $(PERF_QUICK) $(ARGS)

.PHONY: perf-nightly
perf-nightly: build ## the full sizes, up to 5,000 nodes: hours
	BIN=$(BIN) PERF_SCHEDULERS=$(PERF_SCHEDULERS) hack/perf-nightly.sh $(ARGS)

.PHONY: perf-gate
perf-gate: build ## is HEAD's scheduler slower than BASE's? two executables of muster: make perf-gate BASE=old/muster HEAD=new/muster
	@test -n "$(BASE)" -a -n "$(HEAD)" || { echo "make perf-gate BASE=path HEAD=path: two executables of muster" >&2; exit 2; }
	BIN=$(BIN) hack/perf-gate.sh $(BASE) $(HEAD) $(ARGS)

.PHONY: prove
prove: build ## judge schedulers that are wrong on purpose: each requirement must be seen to fail
	$(BIN) prove $(ARGS)

.PHONY: soak
soak: build ## long: property tests at 10,000 cases, fuzzers, kill loops, the suites ten times
	hack/soak.sh

.PHONY: lint
lint: ## go vet and staticcheck, pinned in hack/tools
	hack/lint.sh

.PHONY: verify
verify: ## every hack/verify-*: formatting, lint, modules, generated files
	@for v in hack/verify-*.sh; do echo "== $$v"; bash $$v || exit 1; done

.PHONY: update
update: ## every hack/update-*: regenerate what is generated
	@for u in hack/update-*.sh; do echo "== $$u"; bash $$u || exit 1; done

.PHONY: clean
clean: ## remove what was built and run here (not Go's build cache)
	rm -rf bin muster-out
