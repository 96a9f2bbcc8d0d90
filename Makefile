# The habits of this repository. `make` alone lists them.
#
# Nothing here writes into the tree, except below .cache/, which git ignores;
# and a fuzz run that finds a failing input keeps it in testdata/fuzz, where it
# becomes a test.
#
#   PKG=./mention/...      test, race, bench, fuzz: these packages only
#   RACE=1                 test, soak: with the race detector
#   FUZZTIME=600           fuzz: seconds in all, shared between the targets
#   AMPERSAT_REQUIRE=all   what is missing, and any skipped test, is a failure

PKG      ?= ./...
FUZZTIME ?= 60

.DEFAULT_GOAL := help

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the binary into .cache/bin
	CGO_ENABLED=0 go build -o .cache/bin/ ./cmd/...

.PHONY: test
test: ## install what the tests need, run them, tell what was skipped and why
	@scripts/need
	@scripts/test $(if $(RACE),-race) $(PKG)

.PHONY: race
race: ## the same tests with the race detector
	@$(MAKE) --no-print-directory test RACE=1

.PHONY: long
long: ## the sessions at their full length, which the race detector has no time for
	@scripts/test -run '^(TestFiveHundredTurns|TestViewsOfRandomSessions)$$' ./session

.PHONY: soak
soak: ## the slow tests too: files with the build tag soak, more random draws, and fuzzing
	@scripts/need
	@RAPID_CHECKS=1000 scripts/test $(if $(RACE),-race) -tags=soak -timeout=60m $(PKG)
	@scripts/fuzz $(FUZZTIME) $(PKG)

.PHONY: conformance
conformance: ## hold our code against programs that others wrote
	@cd conformance && ../scripts/test ./...

.PHONY: fuzz
fuzz: ## run every fuzz target, for FUZZTIME seconds in all
	@scripts/fuzz $(FUZZTIME) $(PKG)

.PHONY: bench
bench: ## run every benchmark
	go test -run '^$$' -bench . -benchmem $(PKG)

.PHONY: lint
lint: ## gofmt, go vet, staticcheck, dead code, tidy modules
	@scripts/lint

.PHONY: ci
ci: ## everything that must pass before a change lands
	@bash .ci/run
