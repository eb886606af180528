# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# Another interpreter is another installation.
STAMP := .venv/.installed-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
# Worker processes for the tests; 0 runs them in one process.
JOBS ?= auto
PYTEST := $(BIN)/python -m pytest

export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_NO_INPUT = 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-deep bare check engines fuzz fuzz-deep reproduce bench behaviour catalogue signatures conformance notebook format clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMP) ## German credit, end to end: two scorecards side by side, SQL in DuckDB, reasons
	$(BIN)/scrutable demo --overwrite

test: $(STAMP) ## Run the test suite
	$(PYTEST) -m "not reproduce and not deep" -n $(JOBS) --dist loadfile

test-deep: $(STAMP) ## Kills, signals, full disks, threads, clients, random models in every engine, a million hostile files (hours)
	$(PYTEST) -m "trial or deep" -n $(JOBS) --dist load
	$(MAKE) fuzz MODELS=$(or $(MODELS),300)
	$(MAKE) fuzz-deep

bare: $(STAMP) ## Run the two commands as a newcomer, on a new Debian that holds nothing else (root, mmdebstrap)
	.ci/bare

check: $(STAMP) ## Lint, formatting, types, import contracts, doctests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(PYTEST) -q --doctest-modules core plugins exporters

engines: $(STAMP) ## Add the large engines that the tests run exports in where they are there
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e ".[engines]"
	test -x .venv/dbt/bin/python || $(BIN)/python -m venv .venv/dbt
	.venv/dbt/bin/python -m pip install --quiet -r constraints-dbt.txt
	@test -x .venv/mysql/usr/sbin/mysqld || .ci/mysql .venv/mysql
	@$(BIN)/python -m scrutable.testing.machine

fuzz: $(STAMP) ## Random models on random rows in every engine; SEED=n, MODELS=n
	$(BIN)/python -m scrutable.testing.fuzz --seed $(or $(SEED),0) --models $(or $(MODELS),100)

fuzz-deep: $(STAMP) ## Hostile models, configs, dictionaries and tables, a million of them; SEED=n, INPUTS=n
	PYTHONPATH=tests $(BIN)/python -m hostile --seed $(or $(SEED),0) --inputs $(or $(INPUTS),1000000) --jobs $(or $(FUZZ_JOBS),2)

reproduce: $(STAMP) ## Repeat the papers' tables (slow)
	@test -d "$(SCRUTABLE_DATA)" || { echo "Name the folder of data sets: make reproduce SCRUTABLE_DATA=..."; exit 1; }
	SCRUTABLE_DATA="$(SCRUTABLE_DATA)" $(PYTEST) -m reproduce

bench: $(STAMP) ## Print the benchmarks' figures beside their bounds
	@for each in $(filter-out benchmarks/report.py benchmarks/clock.py,$(wildcard benchmarks/*.py)); do $(BIN)/python $$each --quick; done

behaviour: $(STAMP) ## Record what every command writes and says: RECORD=before.json; then RECORD=after.json AGAINST=before.json
	$(BIN)/python tests/behaviour/record.py $(RECORD) $(if $(AGAINST),--against $(AGAINST)) $(if $(KEEP),--keep $(KEEP))

catalogue: $(STAMP) ## Write the catalogue of plugins from the results of their checks
	$(BIN)/scrutable plugins catalogue docs/conformance/*.json --third-parties docs/third-parties.yml --output docs/catalogue.md --overwrite

signatures: $(STAMP) ## Write the page of signatures that plugins use
	$(BIN)/python docs/plugins/signatures.py

conformance: $(STAMP) ## Check every plugin and write the catalogue anew
	mkdir -p docs/conformance
	$(BIN)/scrutable plugins check --output docs/conformance/scrutable.json --overwrite
	$(MAKE) catalogue

notebook: $(STAMP) ## Run the whole case and write its notebook anew (needs SCRUTABLE_DATA)
	@test -d "$(SCRUTABLE_DATA)" || { echo "Name the folder of data sets: make notebook SCRUTABLE_DATA=..."; exit 1; }
	SCRUTABLE_DATA="$(SCRUTABLE_DATA)" $(BIN)/python docs/case/notebook.py

format: $(STAMP) ## Rewrite the code in the project's format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## Remove .venv, caches and what was built
	rm -rf .venv build dist scrutable-demo .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find core plugins exporters tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The build backend goes in first and the project is built without isolation, so that constraints.txt holds for it too.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || { \
	  echo "Scrutable needs Python 3.11, 3.12 or 3.13; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)."; \
	  echo "Name another one, for example: make $(or $(MAKECMDGOALS),demo) PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments; on Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Installing into .venv (once; a few minutes) ..."
	@[ -z "$(filter-out $@,$(wildcard .venv/.installed-*))" ] || rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet -c constraints.txt hatchling
	@$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e ".[all,dev]"
	@touch $@
