"""How strongly words are associated in unlabelled text: Dice, of the two words and of their neighbours.

Taskar et al. (2005) do not say what they count.  Here it is tokens, not the sentences that contain a word:
cross-validated on labelled pairs, their features then give the better links.  A word that tends to stand
twice in a sentence is so a weaker candidate for one that stands there once.
"""

from __future__ import annotations

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.grids import OF_SOURCE, OF_TARGET, is_best, lead, neighbour


@groups.register("dice")
def dice(evidence: Evidence) -> Columns:
    """The Dice coefficient, counted by tokens."""
    return {"dice": evidence.dice}


@groups.register("dice-distance")
def dice_distance(evidence: Evidence) -> Columns:
    """Dice times distance: what the association is worth far from the diagonal."""
    return {"dice * distance": evidence.dice * evidence.distance}


@groups.register("next-dice")
def next_dice(evidence: Evidence) -> Columns:
    """Dice of the two words that follow; 0 past the end of either sentence."""
    return {"next dice": neighbour(evidence.dice, 1, 1)}


@groups.register("previous-dice")
def previous_dice(evidence: Evidence) -> Columns:
    """Dice of the two words before; 0 before the start of either sentence."""
    return {"previous dice": neighbour(evidence.dice, -1, -1)}


@groups.register("dice-competition")
def dice_competition(evidence: Evidence) -> Columns:
    """Dice against that of the best other link of either word, and whether none is better."""
    return {
        "dice lead of source": lead(evidence.dice, OF_SOURCE),
        "dice lead of target": lead(evidence.dice, OF_TARGET),
        "best dice of source": is_best(evidence.dice, OF_SOURCE),
        "best dice of target": is_best(evidence.dice, OF_TARGET),
    }
