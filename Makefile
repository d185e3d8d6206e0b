# Everything happens in .venv, which the first target that needs it makes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
LAB := $(VENV)/.lab
SWEEP := $(VENV)/.sweep
SOURCES := shapecell tests tools
BROWSER_TESTS := $(wildcard tests/browser)

.PHONY: help install lint quick test bench sweep docs demo lab clean distclean

help:
	@echo "make demo    run the demo notebooks, print what shapecell finds, write them as HTML"
	@echo "make lab     open the demo notebooks in JupyterLab"
	@echo "make test    lint and every test"
	@echo "make quick   the tests that take seconds"
	@echo "make bench   measure what a check costs; prints a table and writes benchmarks.json"
	@echo "make lint    ruff and mypy"
	@echo "make clean   remove what was made, except .venv; make distclean: .venv too"

install: $(INSTALLED)

$(INSTALLED): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(LAB): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lab]'
	@touch $@

lint: $(INSTALLED)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy

quick: $(INSTALLED)
	$(BIN)/python -m pytest -m "not slow and not browser"

ifeq ($(BROWSER_TESTS),)
test: lint
	$(BIN)/python -m pytest
else
test: lint
	@if command -v chromium >/dev/null; then \
	    : ; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing chromium for the browser tests"; \
	    apt-get update -qq </dev/null && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium </dev/null >/dev/null; \
	fi || true
	@if command -v chromium >/dev/null; then \
	    echo $(BIN)/python -m pytest; $(BIN)/python -m pytest; \
	else \
	    $(BIN)/python -m pytest -m "not browser"; status=$$?; \
	    echo "NOT RUN: tests/browser, since there is no chromium here and installing it needs root and apt-get"; \
	    exit $$status; \
	fi
endif

bench: $(INSTALLED)
	$(BIN)/python -m tests.benchmarks --output benchmarks.json

docs: $(INSTALLED)
	$(BIN)/python -m shapecell.rules.explain > docs/rules.md

$(SWEEP): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[sweep]'
	@touch $@

sweep: $(SWEEP)
	$(BIN)/python -m tests.sweep

demo: $(INSTALLED)
	@$(BIN)/python tools/demo.py

lab: $(LAB)
	$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) demo_notebooks

clean:
	rm -rf demo_output benchmarks.json build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
