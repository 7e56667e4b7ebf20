# bakeoff: two commands do everything on a machine with Python 3.11 and make:
#   make demo   a real comparison and its report        make test   the whole test suite
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUIET := -qq --disable-pip-version-check --no-input
JOBS ?= 2

help:  ## show this list
	@grep -hE '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# The environment is made once and remade only when what it installs changes.
$(VENV)/.base: pyproject.toml hatch_build.py $(wildcard src/bakeoff/stats/_kernels/*.[ch])
	@echo "Setting up $(VENV) (once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install $(QUIET) --editable '.[all]'
	@touch $@
$(VENV)/.dev: $(VENV)/.base
	@echo "Adding the development tools ..."
	@$(BIN)/python -m pip install $(QUIET) --editable '.[dev]'
	@touch $@
$(VENV)/.peers: $(VENV)/.dev
	@echo "Adding the packages we compare with ..."
	@$(BIN)/python -m pip install $(QUIET) --editable '.[dev,peers]'
	@touch $@
$(VENV)/.docs: $(VENV)/.dev
	@echo "Adding the documentation tools ..."
	@$(BIN)/python -m pip install $(QUIET) --editable '.[dev,docs]'
	@touch $@

setup: $(VENV)/.dev  ## make the environment for development

demo: $(VENV)/.base  ## a real comparison of several models, start to report
	@$(BIN)/bakeoff demo

test: $(VENV)/.dev browser  ## the whole test suite (about 10 minutes at most on 2 cores)
	@echo "Testing ..."
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 POLARS_MAX_THREADS=2 $(BIN)/python -m pytest -n $(JOBS) --dist loadscope

wheel: $(VENV)/.dev  ## a wheel with the tag an index accepts, tried in an empty environment without a compiler
	@$(BIN)/python -m pytest -q -m slow tests/packaging

check: $(VENV)/.dev  ## linter, formatter, types, import directions, private imports
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports \
	  && $(BIN)/python -m pytest -q tests/core/test_import_contract.py

format:  ## let ruff fix what it can
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

browser:  ## Chromium for the browser tests (Debian: installed if we may)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then echo "Installing Chromium for the browser tests ..."; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium; } >/dev/null 2>&1 \
	      || echo "Chromium could not be installed: browser tests will be skipped"; \
	  else echo "No Chromium: browser tests will be skipped"; fi; }
	@test -f node_modules/axe-core/axe.min.js || { \
	  if command -v npm >/dev/null; then npm install --no-save --no-package-lock --silent axe-core >/dev/null 2>&1 \
	      || echo "axe-core could not be installed: accessibility tests will be skipped"; \
	  else echo "No npm: accessibility tests will be skipped"; fi; }

calibrate: $(VENV)/.peers  ## simulate levels and coverage of every test and interval; writes docs/calibration.md (goes on where it was stopped)
	@$(BIN)/python tests/calibration/write_table.py $(or $(RUNS),2000)

bench: $(VENV)/.peers  ## speed against the packages people use, as ratios
	@$(BIN)/python -m benchmarks

peers: $(VENV)/.peers  ## hold what the README says of other packages to what they answer
	@$(BIN)/python -m pytest tests/peers -n0 -rs

engines: $(VENV)/.dev  ## the engines that need a server: Spark (PySpark is installed, and Java 17 where we may), a Dask cluster
	@$(BIN)/python -m pip install $(QUIET) --editable '.[dev,spark]'
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && apt-get -qq update && \
	  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends openjdk-17-jre-headless; } >/dev/null 2>&1 \
	  || echo "Java could not be installed: the tests on Spark will be skipped"
	@for engine in dask-cluster spark-connect "spark and not connect"; do \
	  $(BIN)/python -m pytest tests/evidence/test_engines.py -m "spark or cluster" -k "$$engine" || exit 1; done

study: $(VENV)/.dev  ## the real bake-off: fetch data, run study/study.toml, write report and scores (about 15 minutes)
	@mkdir -p runs && $(BIN)/python study/fetch.py
	@$(BIN)/bakeoff run study/study.toml --jobs $(JOBS) > runs/study.log || { tail -40 runs/study.log; exit 1; }
	@$(BIN)/bakeoff report runs/study -o runs/study-report.html --title "13 learners on 26 data sets" > /dev/null
	@$(BIN)/python study/scores.py
	@echo "runs/study-report.html; what it means: docs/study.md"

lectures: $(VENV)/.docs  ## notebooks and slides of the lectures, run, in docs/_build/lectures
	@$(BIN)/python docs/teaching.py

docs: $(VENV)/.docs  ## build the guide, running every example
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html && echo "docs/_build/html/index.html"

clean:  ## remove the environment and what was built
	@rm -rf $(VENV) build dist docs/_build .mypy_cache .ruff_cache .pytest_cache

.PHONY: help setup demo test check format browser calibrate bench peers engines study lectures docs clean
