"""The features of the paper's adversarial models for named entities."""

from __future__ import annotations

from advsp.features import presets
from advsp.features.stanford import StanfordFeatures


@presets.register("paper")
class PaperFeatures(StanfordFeatures):
    """Stanford NER's templates with two differences.

    Shapes do not depend on known lower-case words, and every sentence is preceded by a token
    ``-DOCSTART-`` tagged ``O``, which is an ordinary token in features, games and scores.  On the first
    300, 1000 and 3000 sentences of CoNLL-2003 (lines ``-DOCSTART-`` of the file dropped) this gives the
    paper's 31,979, 67,513 and 166,737 features.
    """

    boundary = ("-DOCSTART-",)
    known_words = False
