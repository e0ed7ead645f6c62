PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
DEMO_READY := $(VENV)/.demo-ready
DEV_READY := $(VENV)/.dev-ready
DOCS_READY := $(VENV)/.docs-ready
BENCH_READY := $(VENV)/.bench-ready

heading = @printf '\n== %s\n'

.DEFAULT_GOAL := help
.PHONY: help demo test docs bench bounds setup format clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(DEMO_READY) ## race the algorithms on Kuhn poker: a table and a plot
	$(heading) "Kuhn poker"
	@$(BIN)/regretlab compare kuhn --plot kuhn.png

test: $(DEV_READY) ## check format, lint and types, then run all tests
	$(heading) "Format"
	@$(BIN)/ruff format --check .
	$(heading) "Lint"
	@$(BIN)/ruff check .
	$(heading) "Types"
	@$(BIN)/mypy
	$(heading) "Tests, doctests, documents, wheel"
	@$(BIN)/python -m pytest -n 2

docs: $(DOCS_READY) ## build the documentation site into build/site
	$(heading) "Documentation"
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --nitpicky docs build/site
	@echo "Open build/site/index.html"

bench: $(BENCH_READY) ## measure side by side with the peers, half an hour: tables, JSON and a plot
	$(heading) "Benchmark"
	@mkdir -p results
	@$(BIN)/python -m benchmarks --json results/bench.json --plot results/bench.png

bounds: $(DEV_READY) ## try the oldest and the newest versions of all dependencies that are allowed
	$(heading) "The oldest versions"
	@$(BIN)/python tests/bounds.py
	$(heading) "The newest versions"
	@$(BIN)/python tests/bounds.py --newest

setup: $(DEV_READY) ## make the environment in .venv for development

format: $(DEV_READY) ## format the code and mend what lint can mend
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

clean: ## remove the environment and all that was generated
	@rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache kuhn.png
	@find src tests benchmarks studies -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is the last thing a setup writes, so an interrupted one leaves none; without it the environment is started anew.
$(DEMO_READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	{ echo 'regretlab needs Python 3.11 or later. Name one like this: make PYTHON=python3.12 demo' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	{ echo '$(PYTHON) lacks the venv module. On Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
	$(heading) "Setting up $(VENV) (once; two or three minutes)"
	@$(PYTHON) -m venv $(if $(wildcard $@),,--clear) $(VENV)
	@$(PIP) install -r requirements.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/regretlab warmup
	@touch $@

$(DEV_READY): requirements-dev.txt requirements-docs.txt $(DEMO_READY)
	$(heading) "Adding the tools for development (once; two or three minutes)"
	@$(PIP) install -r requirements-dev.txt
	@touch $@

$(DOCS_READY): requirements-docs.txt $(DEMO_READY)
	$(heading) "Adding what builds the documentation (once; half a minute)"
	@$(PIP) install -r requirements-docs.txt
	@touch $@

$(BENCH_READY): requirements-bench.txt $(DEV_READY)
	$(heading) "Adding the peers for the benchmark (once; several minutes, because LiteEFG is compiled)"
	@$(PIP) install -r requirements-bench.txt || \
	{ echo 'LiteEFG is compiled here and needs a C++ compiler. On Debian and Ubuntu: apt install g++' >&2; exit 1; }
	@touch $@
