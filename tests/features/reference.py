"""What a token's features are called, said token by token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advsp.features.stanford import EDGE_TEMPLATES, NODE_TEMPLATES
from advsp.features.templates import Template, Value


def value_at(value: Value, columns: Mapping[str, Sequence[str]], position: int) -> str:
    texts, place = columns[value.column], position + value.offset
    return texts[place] if 0 <= place < len(texts) else value.outside


def names_at(templates: Sequence[Template], columns: Mapping[str, Sequence[str]], position: int) -> set[str]:
    """Names of all features at a position of one sentence, n values of each column."""
    names: set[str] = set()
    for template in templates:
        names.update(template.names(tuple(value_at(value, columns, position) for value in template.values)))
    return names


def token_features(words: Sequence[str], shapes: Sequence[str]) -> list[tuple[set[str], set[str]]]:
    """Node and edge names of every token by the templates of Stanford NER."""
    columns = {"word": words, "shape": shapes}
    return [
        (names_at(NODE_TEMPLATES, columns, t), names_at(EDGE_TEMPLATES, columns, t))
        for t in range(len(words))
    ]
