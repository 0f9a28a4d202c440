# The README's commands. The first one run sets up in .venv what it needs; the next ones find it there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
READY := $(VENV)/.ready
ARGS ?=
# 2/4 takes every fourth case, from the second on, of a test with a dozen cases or more; of the long
# tests and those of load every fourth test.
PART ?= 1/1

# The style of Python comes last: it never stands between an author and the tests of a text.
STYLE = ( $(BIN)/python -m ruff check --quiet . && $(BIN)/python -m ruff format --check --quiet . ) || \
  { echo "All tests have passed. Only the style of the Python files is left to mend:"; \
    echo "  $(BIN)/python -m ruff check --fix . ; $(BIN)/python -m ruff format ."; exit 1; }

# All cores; what shares something slow stays together, and the order of the files is kept: by number of
# tests, the few long ones would come last, on one core.
MANY := -n auto --dist loadgroup --no-loadscope-reorder
# Whether source/ and release/ are what course/ gives is looked at beside the tests.
BESIDE_BUILD_CHECK = $(BIN)/autograder build --check & built=$$!; $(BIN)/python -m pytest $(MANY)
BOTH = tested=$$?; wait $$built || { echo "source/ or release/ is not what course/ gives: see above, or make check."; exit 1; }; exit $$tested
# What `make test` leaves to commands of its own.
HEAVY := answers long browser hostile load hub received site
empty :=
space := $(empty) $(empty)

.PHONY: help setup lab quick test test-answers test-long test-rest test-pythons numbers test-check test-practice museum messages test-browser test-hub test-hostile test-load test-received test-versions test-site test-lite \
  build check bundle ville-wheel pyodide site page grade-demo semester bench bench-classroom lock data clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

setup: $(STAMP)  ## make .venv with all that the course, its tests and its tools need

# Each lock is installed once; all of it serves who wants a part.
$(STAMP): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing the pinned packages of requirements.lock (once, about a minute; with pip some more)." >&2
	@$(BIN)/python tools/install.py requirements.lock --compiled
	@touch $(READY) $@

$(READY): requirements-lab.lock pyproject.toml | $(BIN)/python
	@echo "Installing the pinned packages of requirements-lab.lock (once, half a minute; with pip some more)." >&2
	@$(BIN)/python tools/install.py requirements-lab.lock
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	@echo "Making a virtual environment in $(VENV)." >&2
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -f $(BIN)/python; echo "No virtual environment could be made. On Debian: apt-get install python3-venv"; exit 1; }

# The order of a set of words is the same at every run of the tests.
quick test test-answers test-long test-rest test-browser test-hub test-hostile test-load test-received test-versions test-site test-lite: export PYTHONHASHSEED = 1
# Even where Pythons keep nothing that they compile, these hundreds of them do: each would compile it all anew.
quick test test-answers test-long test-rest test-received test-versions: export PYTHONDONTWRITEBYTECODE =

lab: $(READY)  ## open JupyterLab on the chapters (ARGS=--no-browser on a server)
	@$(BIN)/autograder lab $(ARGS)

quick: setup  ## say within a minute what a change broke
	@echo "The quick tests; \`make test\` runs them all."
	@$(BESIDE_BUILD_CHECK) -m "quick and not (slow or long)" $(ARGS); $(BOTH)
	@$(STYLE)

test: setup  ## run the tests (ARGS="-k laplace" for some of them)
	@echo "Testing. Commands of their own: test-answers, test-long, test-browser, test-hub, test-hostile, test-load, test-received, test-site, test-versions."
	@$(BESIDE_BUILD_CHECK) -m "not ($(subst $(space), or ,$(HEAVY)))" $(ARGS); $(BOTH)
	@$(STYLE)

test-answers: setup  ## ask the checks about every wrong answer and every right style that we have
	@echo "Judging every known answer: some minutes."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m "answers or quick" --part $(PART) \
	  tests/check/test_check_claims.py tests/check/test_strangers.py tests/test_wrong_answers.py $(ARGS)

test-long: setup  ## grade whole classes, make zips, draw laws many thousand times and each slider, audit
	@echo "The long tests: some minutes."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(MANY) -m "long and not (load or hostile)" --part $(PART) --each $(ARGS)

test-rest: setup  ## what test-long and test-answers run, in one go (PART=2/4 for a part of it)
	@echo "The long tests, and judging every known answer: many minutes."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(MANY) -m "(long or answers) and not (load or hostile)" \
	  --part $(PART) --each $(ARGS)

# Each Python gets an environment of its own. Chapters 3 and 13 stand for all chapters and checks.
PYTHONS ?= python3.11 python3.12 python3.13

test-pythons:  ## install on each Python, and run the quicker tests (PYTHONS="/path/to/python3.13")
	@failed=0; for python in $(PYTHONS); do \
	  version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
	    { echo "NOT TESTED WITH $$python: IT DOES NOT RUN HERE"; continue; }; \
	  echo "== Python $$version"; \
	  $(MAKE) --no-print-directory quick PYTHON=$$python VENV=build/python$$version \
	    ARGS='-m quick $(ARGS)' || failed=1; \
	done; exit $$failed

test-check: setup  ## run every check on every known answer, many times; writes docs/how-sure-are-the-checks.md
	@echo "The study of the checks: about an hour on two cores, which may do other work beside it. It may be stopped, and goes on where it was."
	@PYTHONPATH=tests OPENBLAS_NUM_THREADS=1 $(BIN)/python -m study $(ARGS)

test-practice: setup  ## run every practice task's right answers and mistakes; it may be stopped, and goes on where it was
	@echo "The study of the practice tasks: about an hour of one core for 1,000 tasks (ARGS=\"--tasks 100\" for fewer)."
	@PYTHONPATH=tests OPENBLAS_NUM_THREADS=1 $(BIN)/python -m practice.proof $(ARGS)
	@PYTHONPATH=tests OPENBLAS_NUM_THREADS=1 $(BIN)/python -m practice.proof --laws 100000

numbers: setup  ## run all chapters, and name each number of a text that its code does not give
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(MANY) --tb=line --show-capture=no -r N \
	  tests/course -k every_number_in_the_text $(ARGS)

museum: setup  ## install releases of other libraries, judge their draws, write docs/museum.md (PYTHONS="/path/to/python3.8")
	@echo "The museum, in build/museum: environments of their own, about ten minutes. What cannot be had is named."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.museum $(if $(findstring /,$(PYTHONS)),$(addprefix --python ,$(PYTHONS))) $(ARGS)

messages: setup  ## ask the checks about every wrong answer; `make site` has the page
	@echo "What the checks say, to build/study/messages.md: some minutes."
	@PYTHONPATH=tests OPENBLAS_NUM_THREADS=1 $(BIN)/python -m study.messages

test-browser: setup  ## run the tests that drive Chromium
	@echo "Testing in a browser."
	@$(BIN)/python -m pytest $(MANY) -m browser --part $(PART) $(ARGS)

test-hub: setup  ## run a chapter through a JupyterHub, in a browser, as three people (root only)
	@echo "Testing the hub."
	@$(BIN)/python -m pytest -m hub $(ARGS)

test-hostile: setup  ## grade submissions that attack the grader; writes docs/security.md
	@echo "Testing that honest work in odd styles is not flagged, ten times each. About two minutes."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m hostile --part $(PART) tests/grading $(ARGS) || [ $$? = 5 ]
	@echo "Testing against attacks. Plain nbgrader meets each first, in a cage, where the record of it is old: five minutes more."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -m hostile --as-root $(PART) tests/hostile $(ARGS) || [ $$? = 5 ]

test-load: setup  ## kill the grader at any moment, fill its disk, lock its database
	@echo "Testing that nothing is lost."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(MANY) -m load --part $(PART) --each $(ARGS)

test-received: setup  ## try the zip, the public repository and a notebook alone where this repository is not
	@echo "Testing what people receive: some minutes. Packages are fetched for whoever begins with nothing."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(MANY) -m received --part $(PART) $(ARGS)

test-versions: setup  ## judge known answers with each numpy, pandas and scipy that pyproject.toml allows
	@echo "Testing other releases: a minute or two for each (ARGS=\"oldest browser\" for some)."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.versions $(ARGS)

test-site: setup  ## look at every link, page and slider of the site that `make site` has made
	@echo "Testing the site."
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(MANY) -m site --part $(PART) $(ARGS)

# NO_PYODIDE=1 where Python for the browser cannot be had: then the pages alone are made and looked at.
test-lite: setup  ## make the site with Python for the browser in it, and run the chapters there (PART=2/8: two)
	@if [ -n "$(NO_PYODIDE)" ]; then folder=; else folder=$$($(BIN)/python deploy/site/distribution.py); fi && \
	  $(MAKE) --no-print-directory site PYODIDE=$$folder ARGS= && $(MAKE) --no-print-directory test-site

build: $(READY)  ## make source/ and release/ from course/
	@$(BIN)/autograder build

check: $(READY)  ## say whether source/ and release/ are what course/ gives
	@$(BIN)/autograder build --check

bundle: $(READY)  ## make the zip for students (ARGS="03_laplace" for some chapters)
	@$(BIN)/autograder bundle $(ARGS)

ville-wheel: setup  ## make the wheel of ville alone, in dist/
	@rm -rf build/ville && mkdir -p build/ville dist
	@cp -r ville LICENSE deploy/ville/pyproject.toml build/ville
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --wheel-dir dist ./build/ville
	@ls dist/ville-*.whl

pyodide: setup  ## download Python for the browser, once, checked by its hash; print its folder
	@$(BIN)/python deploy/site/distribution.py

site: setup  ## make the book, and with PYODIDE=ARCHIVE the chapters that run in the browser (ARGS=--open: with the answers)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python deploy/site/make.py $(if $(PYODIDE),--pyodide "$(PYODIDE)") $(ARGS)

page: setup  ## test the scripts of answers on the page, and put them into the site that is made
	@$(BIN)/python deploy/site/answering.py

grade-demo: $(READY)  ## make a small class, grade it, print its table
	@$(BIN)/autograder grade-demo

semester: setup  ## make 200 submissions, right, wrong and hostile; grade them; compare with the truth
	@echo "A semester, in build/semester: about a quarter of an hour on two cores."
	@PYTHONPATH=tests OPENBLAS_NUM_THREADS=1 $(BIN)/python -u -m semester $(ARGS)

bench: setup  ## print each benchmark's ratios, and at the end each figure beside its target
	@mkdir -p build && : > build/bench.txt
	@for file in benchmarks/[!_]*.py; do \
	  echo "== $$file"; \
	  OPENBLAS_NUM_THREADS=1 $(BIN)/python $$file > build/one.txt || exit 1; \
	  cat build/one.txt; cat build/one.txt >> build/bench.txt; \
	done
	@echo "== each figure beside its target" && grep "measured=" build/bench.txt

bench-classroom: setup  ## grade the same class with nbgrader and with us, in turn, on two cores (ARGS=--hostile: with attacks)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/classroom.py $(ARGS)

data: setup  ## make the packaged data set again from its tables of counts
	@$(BIN)/python -m tools.adult_data.generate

# --no-emit-…: a lock holds names, versions and hashes, never where they were found.
LOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --no-emit-index-url --no-emit-find-links
lock:  ## pin the newest versions that pyproject.toml allows (needs uv)
	$(LOCK) --upgrade --all-extras pyproject.toml -o requirements.lock
	$(LOCK) --upgrade --extra lab -c requirements.lock pyproject.toml -o requirements-lab.lock
	echo uv | $(LOCK) --upgrade - -o requirements-uv.lock

clean:  ## remove what the commands made (not your submitted/, gradebook.db or notebooks)
	rm -rf $(VENV) build dist demo .pytest_cache .ruff_cache .hypothesis *.egg-info
