# The two commands: `make serve` plays, `make test` checks everything. `make help` lists the rest.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help serve demo test soak fuzz check format openapi sdk sdk-games docs bench clean

BIN := .venv/bin
NPM := openapi/node_modules openapi/sdk/node_modules openapi/clients/typescript/node_modules tests/front_end/node_modules
JOBS ?= auto

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: .venv/runtime ## run everything: Redis, API, workers (settings: .venv/bin/billet serve --help)
	@$(BIN)/billet serve

demo: .venv/runtime ## play a game in the terminal against a running server (ARGS="--edition premium --seats 5 --language de")
	@$(BIN)/billet demo $(ARGS)

# The tests of the engine and its bots come first and under coverage; `alone` marks those whose figures mean nothing
# beside others.
test: check $(NPM:=/.package-lock.json) ## run the checks and all tests
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest tests/engine tests/bots -n $(JOBS)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report
	$(BIN)/pytest tests --ignore tests/engine --ignore tests/bots -m "not alone" -n $(JOBS)
	$(BIN)/pytest tests --ignore tests/engine --ignore tests/bots -m alone

soak: .venv/dev ## play at random for long: in memory, over HTTP, and through kills and a bad network (ARGS="http --tables premium-8")
	$(BIN)/python -m tests.soak $(ARGS)

fuzz: .venv/dev ## send 10,000 requests made up from the document (ARGS="--seed 7 --requests 100000")
	$(BIN)/python -m tests.conformance $(ARGS)

check: .venv/dev openapi/node_modules/.package-lock.json ## check format, lint, types, import contracts, and the published document
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	@mkdir -p build
	$(BIN)/billet openapi > build/openapi.json
	$(BIN)/python -m openapi.derive build/openapi.json
	@for document in openapi/openapi*.json; do \
		diff -u $$document build/$${document#openapi/} || { echo "$$document is stale: run 'make openapi'" >&2; exit 1; }; \
	done
	$(BIN)/python -m openapi.breaking
	@cd openapi && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true npm run --silent lint

format: .venv/dev ## format the code and fix what lint can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

openapi: .venv/runtime ## write the published documents in openapi/
	@mkdir -p build
	$(BIN)/billet openapi > build/openapi.json
	cp build/openapi.json openapi/
	$(BIN)/python -m openapi.derive openapi/openapi.json

sdk: .venv/dev $(NPM:=/.package-lock.json) ## generate clients from the published document (ARGS="java go") and build the client packages, into build/sdk
	$(BIN)/python -m openapi.sdk $(ARGS)
	@cd openapi/clients/python && "$(CURDIR)/$(BIN)/python" -m hatchling build --directory "$(CURDIR)/build/sdk"
	@cd openapi/clients/typescript && npm run --silent build && npm pack --loglevel error --ignore-scripts --pack-destination $(CURDIR)/build/sdk

sdk-games: .venv/dev openapi/sdk/node_modules/.package-lock.json ## play 20 games of each edition through every generated client (ARGS="python --games 100")
	$(BIN)/python -m tests.sdk $(ARGS)

docs: .venv/runtime ## write the parts of docs/ that the code knows
	$(BIN)/python -m docs.generate

bench: .venv/dev ## measure; prints medians and ratios
	$(BIN)/python -m tests.benchmarks

clean: ## remove the environment and everything generated, never the data
	rm -rf .venv build $(NPM) *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	rm -rf openapi/clients/python/src/billet_client/core openapi/clients/typescript/dist openapi/clients/typescript/src/document.ts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Installing again whenever pyproject.toml has changed is all the bookkeeping there is.
.venv/runtime: pyproject.toml | $(BIN)/python
	@echo "Installing Billet into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/dev: pyproject.toml | $(BIN)/python
	@echo "Installing Billet and its checks into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch .venv/runtime $@

# What comes from npm, as the locks pin it. No package runs a script of its own when it is installed.
$(NPM:=/.package-lock.json): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	@command -v npm > /dev/null || { echo "make: this needs Node.js 20 or newer; npm is not found" >&2; exit 1; }
	@echo "Installing what $*/package-lock.json pins ..."
	@cd $* && npm ci --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

# A name on the PATH may be a shim that does not run, and a distribution may split off what makes environments: try.
$(BIN)/python:
	@for name in $(PYTHON) python3.11 python3.12 python3 python3.13 python3.14 python; do \
		if $$name -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "Creating .venv with $$($$name --version) ..."; \
			exec $$name -m venv .venv; \
		fi; \
	done; \
	echo "make: Billet needs Python 3.11 or newer with the venv module; none found (PYTHON=/path/to/python names one)" >&2; \
	exit 1
