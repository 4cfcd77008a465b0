"""Tiny games as files describe them, each with the same game by plain enumeration."""

from __future__ import annotations

import brute_force
import numpy as np

from advsp.show.game_file import AerFile, ChainFile, MatchingFile

COST = {"AN": 1.5, "AP": 0.25, "AS": 0.0, "NN": 0.0, "NP": 0.5, "NS": 2.0}


def numbers(*shape: int) -> list:
    return np.random.default_rng(sum(shape)).normal(size=shape).tolist()


def chain(words: int, tags: int, **options):
    unary, pairwise, start = numbers(words, tags), numbers(tags, tags), numbers(tags)
    description = ChainFile(
        game="chain",
        tags=list("ABCD"[:tags]),
        target="B",
        unary=unary,
        pairwise=pairwise,
        start=start,
        **options,
    )
    return description, brute_force.chain_game(unary, np.array(pairwise), 1, start, **options)


def edges(kind: type, rows: int, columns: int):
    sure, possible = numbers(rows, columns), numbers(columns, rows)
    possible = np.array(possible).T.tolist()
    flat = np.ravel(sure), np.ravel(possible)
    if kind is AerFile:
        return AerFile(game="aer", sure=sure, possible=possible), brute_force.aer_game(*flat)
    description = MatchingFile(game="matching", sure=sure, possible=possible, cost=COST)
    return description, brute_force.matching_game(*flat, (rows, columns), COST)


GAMES = {
    "one word": lambda: chain(1, 2),
    "chain": lambda: chain(3, 3),
    "chain, beta": lambda: chain(4, 2, beta=2.0),
    "one edge": lambda: edges(AerFile, 1, 1),
    "AER": lambda: edges(AerFile, 1, 3),
    "AER, grid": lambda: edges(AerFile, 2, 2),
    "matching": lambda: edges(MatchingFile, 2, 3),
}
