"""Train the tagger of the sample corpus that comes along, for `advsp predict names` to try.

    python scripts/make_sample_model.py [--output data/sample/models/names]

What is kept of the run is what tagging needs: configuration, provenance, choice, features and models.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

from sample_sources import ROOT

from advsp.experiments.config import load_config
from advsp.experiments.prepare import prepare_conll_corpus
from advsp.experiments.train import train
from advsp.support.progress import Silent

#: Parts of a run folder that tagging needs.
KEPT = ("config.json", "provenance.json", "selection.json", "features", "models")


def main(arguments: list[str]) -> int:
    """Train in a folder of its own, and copy the run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "data/sample/models/names")
    output: Path = parser.parse_args(arguments).output.resolve()
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        corpus, how = ROOT / "data/sample/conll", ROOT / "configs/sample-prepare.yaml"
        prepare_conll_corpus(corpus, Path("data/sample-conll"), how, (), Silent())
        run = train(load_config(ROOT / "configs/sample-names.yaml"), Silent())
        shutil.rmtree(output, ignore_errors=True)
        for name in KEPT:
            copy = shutil.copytree if (run / name).is_dir() else shutil.copyfile
            output.mkdir(parents=True, exist_ok=True)
            copy(run / name, output / name)
    print(f"wrote {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
