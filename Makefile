# Two commands on a fresh machine: `make app` sets everything up and starts it, `make test` proves it.
PYTHON ?= python3
comma := ,
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .make
EXTRA := $(if $(filter Darwin,$(shell uname -s)),mac$(comma),)model

.PHONY: app test lint bench model crash slow docs dmg clean help
.DEFAULT_GOAL := help

help: ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

app: $(STAMPS)/run model ## Set up if needed, then start Sagasu (the menu-bar app on a Mac, the service elsewhere)
	@$(BIN)/sagasu app

test: $(STAMPS)/test model ## Every test, in parallel
	@$(BIN)/python packaging/find_browser.py
	$(BIN)/python -m pytest -n auto --dist loadscope -m "not slow"

lint: $(STAMPS)/test ## Style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

model: $(STAMPS)/run ## Fetch the weights once, by checksum, and build the model
	@$(BIN)/python packaging/build_model.py

bench: $(STAMPS)/test model ## Measured speed, beside the bare libraries
	$(BIN)/sagasu bench

crash: $(STAMPS)/test model ## 200 random kills while indexing
	SAGASU_KILLS=200 $(BIN)/python -m pytest tests/journeys/test_kills.py -n 2

slow: $(STAMPS)/test model ## The long campaigns: mutated documents, state machine, schemathesis
	$(BIN)/python -m pytest -n auto -m slow

docs: $(STAMPS)/test ## Write the generated tables of the README anew
	$(BIN)/python packaging/write_docs.py

dmg: $(STAMPS)/run model ## Build, sign, notarise and pack the Mac app; says what it skips
	packaging/make_dmg.sh

clean: ## Remove everything that was made here
	rm -rf $(VENV) $(STAMPS) build dist resources/model .mypy_cache .ruff_cache .pytest_cache

$(VENV)/pyvenv.cfg:
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Sagasu needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/run: pyproject.toml $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRA)]'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/test: pyproject.toml $(STAMPS)/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "rumps>=0.4,<0.5"
	@mkdir -p $(STAMPS) && touch $@
