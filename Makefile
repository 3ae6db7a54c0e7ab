# Needs make and a Python >= 3.11: the first one found, or name one with make PYTHON=...
# Everything is installed into .venv, in the versions of constraints.txt.

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for candidate in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$candidate -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$candidate && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The second variable is for pip >= 25.3, in which the first does not reach the build requirements.
PIP_INSTALL = PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: help setup run demo test check chaos bench clean

help:
	@echo "make run     start the whole service, Ctrl-C stops it"
	@echo "make demo    the same on data of its own, with simulated fighters that move the board"
	@echo "make test    run the tests"
	@echo "make check   lint, types, import contracts"
	@echo "make chaos   kill parts of a running service at random, then audit it"
	@echo "make bench   run the benchmarks"
	@echo "make clean   remove .venv and what the tools have cached; data stay"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { echo 'Python >= 3.11 is needed; name one: make PYTHON=...' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) -e '.[dev]'
	@touch $@

run: $(READY)
	@$(BIN)/matchmaker up

demo: $(READY)
	@$(BIN)/matchmaker demo

test: $(READY)
	$(BIN)/python -m pytest -n 3 --dist loadfile

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

chaos: $(READY)
	@$(BIN)/python -m chaos

bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
