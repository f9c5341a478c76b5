# Two commands: `make demo` and `make test`. Each sets up what it needs in .venv, once.

# Where Python may keep what it compiled, tests that start the program again and again take a third less.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
VENV := .venv
RUN_READY := $(VENV)/ready-run
DEV_READY := $(VENV)/ready-dev
STALE := pyproject.toml constraints.txt .ci/prepare.py

.PHONY: demo test test-all fast check seconds looks words pictures docs clean help

help:
	@echo "make demo    play the bundled clip through the whole line, page at http://127.0.0.1:8000"
	@echo "make test    rules, payments, pages and storage: under ten minutes on two cores"
	@echo "make test-all  that, and what takes long: the networks on every clip, kills, soak, wheel, package, container, many examples, training"
	@echo "make fast    the files of tests that are quick: under a minute in all"
	@echo "make check   ruff, mypy, import-linter, bandit, what old televisions do not know, plain words, the tools, and pip-audit where it reaches its service"
	@echo "make looks   records what the networks find in the demo clips, for the tests to play from"
	@echo "make words   what the pages say: look for new messages, then compile the Italian of them"
	@echo "make pictures the pictures of README.md and docs/, taken from the real pages in Chromium"
	@echo "make docs    the tables of docs/settings.md and docs/http-api.md, and docs/licences.md, from the code itself"
	@echo "make clean   remove what these made"

demo: $(RUN_READY)
	@$(VENV)/bin/companion demo

# Two more at a time than there are cores, as browsers mostly wait; a file's tests stay together, as they share what is costly.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n < 6 ? n + 2 : n)))
# Schemathesis is called by its tests; what it adds to pytest takes a second to import, in each worker.
PYTEST = $(VENV)/bin/pytest -p no:schemathesis -n $(WORKERS) --dist loadfile --no-loadscope-reorder

LONG := house or networks or workshop or thorough or screens or pages or browsers or kills or wheel or deb or container or hall or train
test: $(DEV_READY)
	@$(PYTEST) -m "not ($(LONG))" --processor-limit 20 $(ARGS)

test-all: test
	@$(VENV)/bin/python tools/parts.py

# One more at a time than there are cores: hardly a test waits here, and each worker takes seconds to import them all.
fast: WORKERS = $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n < 6 ? n + 1 : n)))
fast: $(DEV_READY)
	@$(PYTEST) -m "not (slow or browser or $(LONG))" --quick 0.6

# On a machine that has nothing else to do: what each file takes there.
seconds: $(DEV_READY)
	@$(PYTEST) -m "not ($(LONG))" --processor-to tests/seconds.json

looks: $(DEV_READY)
	@$(VENV)/bin/python tools/record_looks.py

check: $(DEV_READY)
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(VENV)/bin/bandit -q -c pyproject.toml -r companion workshop tools .ci 2>/dev/null  # there it only warns of its own reading
	@$(VENV)/bin/python tools/older_browsers.py
	@$(VENV)/bin/pytest -q --no-header -p no:schemathesis -n 2 -m house tests/house
	@$(VENV)/bin/python tools/audit.py

$(RUN_READY): $(STALE)
	@$(PYTHON) .ci/prepare.py $(VENV) run

$(DEV_READY): $(STALE)
	@$(PYTHON) .ci/prepare.py $(VENV) dev

WORDS := companion/translations
words: $(DEV_READY)
	@mkdir -p build
	@$(VENV)/bin/pybabel -q extract -F pyproject.toml -k N_ --no-wrap --sort-by-file --add-location=file \
	    --project=companion --version=1 -o build/messages.pot companion web/templates
	@$(VENV)/bin/pybabel -q update -i build/messages.pot -d $(WORDS) --no-wrap --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
	@$(VENV)/bin/pybabel -q compile -d $(WORDS) --statistics

pictures: $(DEV_READY)
	@$(VENV)/bin/python tools/pictures.py

docs: $(DEV_READY)
	@$(VENV)/bin/python tools/reference.py
	@$(VENV)/bin/python tools/licences.py

clean:
	rm -rf $(VENV) .venv-train build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find companion workshop tests -name __pycache__ -type d -prune -exec rm -rf {} +
