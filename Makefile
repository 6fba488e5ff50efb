# All commands use one virtual environment, built from the lock files. They need no root and no other installation.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
ARGS ?=
CLIENT := api_spec/clients/python
TYPESCRIPT := api_spec/clients/typescript
PRETTIER = $(TYPESCRIPT)/node_modules/.bin/prettier
FORMATTED = 'service/web/static/**/*.{js,mjs,css}' '$(TYPESCRIPT)/{src,test}/*.js'

.PHONY: help run example pictures test test-again test-browser long research firefox snapshots check format spec api-diff combinations manual deb test-packages test-image release fuzz bench chaos league lock vendor node generators try-node recording develop clean

help:  ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run  ## Start the server (ARGS="--port 9000" for options)
	@exec $(BIN)/plateau serve $(ARGS)

example: $(VENV)/.example  ## Watch a whole game on a running server, with every seat playing at random (ARGS="--seats 6")
	$(BIN)/python examples/random_game.py --url http://127.0.0.1:$(or $(PLATEAU_PORT),8000) $(ARGS)

# Three processes more than there are cores, for many tests wait for the services that they have started. Compiled code is
# kept, whatever the environment says: tests start hundreds of processes.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --dist worksteal \
	-n $$($(BIN)/python -c 'import os; print(len(os.sched_getaffinity(0)) + 3 if hasattr(os, "sched_getaffinity") else "auto")')

test: develop try-node  ## Run the tests, but for the long ones, with a part of the samples (ARGS="-k auction" selects some)
	$(PYTEST) $(ARGS)

test-again: develop  ## Run only those tests that failed the last time, one after the other
	$(PYTEST) --dist no -n 0 --last-failed --last-failed-no-failures none $(ARGS)

long: develop research try-node generators  ## Run all tests in full: with the long ones and with all samples
	PLATEAU_NEEDS_RESEARCH=1 GAMES=1 $(PYTEST) -m "long or not long" $(ARGS)

test-browser: develop try-node  ## Run the tests of the web client in Chromium, all of them (ARGS="-k keyboard" selects some)
	GAMES=1 $(PYTEST) -m "long or not long" tests/browser $(ARGS)

firefox: develop  ## Let a stock Firefox play, look back and verify, if there is one (apt-get install firefox-esr)
	npm ci --prefix tests/browser/firefox --ignore-scripts --no-audit --no-fund --prefer-offline
	PLATEAU_NEEDS_FIREFOX=1 $(PYTEST) -m long tests/browser/test_firefox.py $(ARGS)

snapshots: develop  ## Write anew what a screen reader finds in each state of the web client; read the difference
	SNAPSHOTS=write $(PYTEST) -m "long or not long" tests/browser/test_snapshots.py $(ARGS)

check: develop try-node  ## Check format, lint, types, import contracts, the published spec, and the libraries
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@if [ -x $(PRETTIER) ]; then $(PRETTIER) --check $(FORMATTED); fi
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m api_spec.generate --check
	$(BIN)/python -m tests.audit

format: develop try-node  ## Format the code and fix what the linter can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@if [ -x $(PRETTIER) ]; then $(PRETTIER) --log-level warn --write $(FORMATTED); fi

spec: develop try-node  ## Regenerate api_spec/ from the code, and docs/rules-coverage.md from the tests
	$(BIN)/python -m api_spec.generate
	@if [ -d $(TYPESCRIPT)/node_modules ]; then npm --prefix $(TYPESCRIPT) run generate; fi
	$(BIN)/python -m tests.docs.rules_coverage

api-diff: develop  ## Compare the interface with those of released versions (ARGS=OLD.yaml for another document)
	$(BIN)/python -m api_spec.compare $(ARGS)

combinations: develop  ## Check the laws with every combination of options; takes minutes (ARGS="--seats 4")
	$(BIN)/python -m tests.combinations $(ARGS)

pictures: develop  ## Photograph every game in a real Chromium, for the README (ARGS="--all --to /tmp/pictures" for every width)
	$(BIN)/python -m tests.pictures $(ARGS)

manual: develop  ## Build the manual as a site into dist/manual (ARGS=FOLDER for another folder)
	$(BIN)/python docs/manual.py $(ARGS)

deb: develop  ## Build the Debian package into dist (ARGS=VERSION for another version)
	PATH=$(abspath $(BIN)):$$PATH $(BIN)/python .ci/deb/build.py $(ARGS)

test-packages: develop  ## Try the Debian package in a fresh Debian: install, play, upgrade, restore, purge; as root, takes minutes
	PATH=$(abspath $(BIN)):$$PATH $(BIN)/python .ci/deb/try_out.py

test-image: develop  ## Build the image on a fresh Debian and play in it, without a registry; as root, with buildah, takes minutes
	$(BIN)/python .ci/image/try_out.py

release: develop  ## Make a signed release in dist (ARGS="1.0.0 --key FILE", or ARGS="1.0.0 --dry-run" to rehearse it in a copy)
	$(BIN)/python .ci/release/release.py $(ARGS)

recording: develop  ## Record games of a store whose format is new, once before the release that first writes it
	$(BIN)/python -m tests.recorded.record

fuzz: develop  ## Attack a separate service for 5 minutes, showing progress (ARGS="--seconds 60" or ARGS="sockets --seed 1")
	$(BIN)/python -m tests.fuzz $(ARGS)

bench: develop  ## Run the benchmarks on this machine (ARGS for options)
	$(BIN)/python -m bench $(ARGS)

chaos: develop  ## Let everything fail while games go on, and check each history; takes minutes (ARGS="--cycles 200 --seed 2")
	$(BIN)/python -m bench.chaos $(ARGS)

league: develop  ## Let bots play each other and print a table (ARGS="--bots greedy,random --ruleset plute --deals 100 --seed 1")
	$(BIN)/python -m bench.league $(ARGS)

LOCK = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes --no-annotate \
	--fork-strategy fewest --custom-compile-command 'make lock' $(UPGRADE)

lock: $(BIN)/python  ## Update the lock files (UPGRADE=--upgrade for the latest versions)
	$(PIP) install 'uv>=0.9'
	printf 'hatchling\neditables\n' | $(LOCK) pyproject.toml - --extra archive --output-file requirements.lock
	$(LOCK) $(CLIENT)/pyproject.toml --constraint requirements.lock --output-file requirements-client.lock
	printf 'hatchling\neditables\n' | $(LOCK) pyproject.toml - --extra dev --constraint requirements.lock \
		--constraint requirements-client.lock --output-file requirements-dev.lock

# The type checker finds Preact's types in node_modules; what browsers get is in git, and needs no installation.
VENDORED = service/web/static/vendor
PREACT = $(TYPESCRIPT)/node_modules/preact

vendor: node  ## Copy the library of the web client from its pinned package
	sed -e '/^\/\/# sourceMappingURL/d' $(PREACT)/dist/preact.mjs > $(VENDORED)/preact.mjs
	sed -e '/^\/\/# sourceMappingURL/d' -e 's|from"preact"|from"./preact.mjs"|' $(PREACT)/hooks/dist/hooks.mjs > $(VENDORED)/hooks.mjs
	cp $(PREACT)/LICENSE $(VENDORED)/LICENSE

develop: $(VENV)/.develop

research: $(VENV)/.research  ## Install what the laboratory needs beside (OpenSpiel, pyarrow, numba), 600 MB

node: $(TYPESCRIPT)/node_modules/.package-lock.json  ## Install the tools of the TypeScript client, which need npm

GENERATORS = tests/clients/generators
generators: $(GENERATORS)/node_modules/.package-lock.json  ## Install the generators of clients that the long tests try; these need Go and Java, too

$(GENERATORS)/node_modules/.package-lock.json: $(GENERATORS)/package.json $(GENERATORS)/package-lock.json $(GENERATORS)/requirements.lock | $(BIN)/python
	npm ci --prefix $(GENERATORS) --ignore-scripts --no-audit --no-fund --prefer-offline
	$(PIP) install --no-deps --require-hashes --target $(GENERATORS)/node_modules --requirement $(GENERATORS)/requirements.lock
	@touch $@

try-node:
	@if ! command -v npm >/dev/null; then echo "npm is not installed: the TypeScript client is left out."; \
	elif ! $(MAKE) --no-print-directory node; then echo "The TypeScript client is left out."; fi

clean:  ## Remove the virtual environment and all files created by tools
	rm -rf $(VENV) $(TYPESCRIPT)/node_modules dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes --requirement requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.example: requirements-client.lock $(CLIENT)/pyproject.toml $(VENV)/.run
	$(PIP) install --require-hashes --requirement requirements-client.lock
	$(PIP) install --no-deps --no-build-isolation --editable $(CLIENT)
	@touch $@

# Without --no-compile, pip would take a third longer for modules of which most are never imported.
$(VENV)/.develop: requirements.lock requirements-dev.lock pyproject.toml $(CLIENT)/pyproject.toml | $(BIN)/python
	$(PIP) install --no-compile --require-hashes --requirement requirements-dev.lock
	$(PIP) install --no-deps --no-build-isolation --editable . --editable $(CLIENT)
	@touch $(VENV)/.run $(VENV)/.example $@

$(VENV)/.research: $(VENV)/.develop
	$(PIP) install --no-build-isolation --editable '.[research,fast-bots]'
	@touch $@

# npm itself keeps this file, which names what it has installed.
$(TYPESCRIPT)/node_modules/.package-lock.json: $(TYPESCRIPT)/package.json $(TYPESCRIPT)/package-lock.json
	npm ci --prefix $(TYPESCRIPT) --ignore-scripts --no-audit --no-fund --prefer-offline
	@touch $@
