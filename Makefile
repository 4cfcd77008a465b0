# advsp: `make demo` to see it work, `make test` to check it, `make reproduce` for the paper's tables.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A folder with eng.train, eng.testa and eng.testb; prepared on demand by `make reproduce`.
CONLL ?=
RUNS ?= 5
BLOCKS := conll300

.PHONY: demo test reproduce sample clean help

help:
	@echo "make demo                   install, train on the sample corpora, print the tables"
	@echo "make test                   install and run the tests"
	@echo "make reproduce CONLL=DIR    the paper's tables from CoNLL-2003 (RUNS=5 seeds)"
	@echo "make sample                 generate the sample corpora anew"
	@echo "make clean                  remove the virtual environment and the demo's results"

# The virtual environment is complete once the stamp exists; pyproject.toml renews it.
$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "advsp needs Python 3.11 or later; name one: make PYTHON=python3.12 ..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[highs,test]'
	@touch $@

demo: $(VENV)/installed
	$(BIN)/advsp prepare-conll data/sample/conll --config configs/sample-prepare.yaml --output data/sample-conll
	$(BIN)/advsp train configs/sample-conll.yaml --overwrite
	$(BIN)/advsp evaluate configs/sample-conll.yaml
	$(BIN)/advsp compare --results results/demo

test: $(VENV)/installed
	$(BIN)/python -m pytest -q -n 2

data/conll2003/corpus.json: | $(VENV)/installed
	@if [ -n "$(CONLL)" ]; then $(BIN)/advsp prepare-conll "$(CONLL)" --output data/conll2003; else \
	  echo "data/conll2003 is not prepared: eng.train, eng.testa and eng.testb are missing."; \
	  echo "They come from the CoNLL-2003 shared task; their text is the Reuters Corpus (see data/README.md)."; \
	  echo "With the three files in a folder DIR: make reproduce CONLL=DIR"; \
	  echo "(or: $(BIN)/advsp prepare-conll DIR, then make reproduce)"; exit 2; fi

reproduce: data/conll2003/corpus.json $(VENV)/installed
	@for block in $(BLOCKS); do \
	  $(BIN)/advsp train configs/$$block.yaml --set runs=$(RUNS) --overwrite && \
	  $(BIN)/advsp evaluate configs/$$block.yaml || exit $$?; done
	$(BIN)/advsp compare

sample: $(VENV)/installed
	$(BIN)/python scripts/make_sample_conll.py
	$(BIN)/python scripts/make_sample_bitext.py

clean:
	rm -rf $(VENV) results/demo data/sample-conll
