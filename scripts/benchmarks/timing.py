"""Times that can be compared: candidates take turns, so that a slow moment meets all of them."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

#: Seconds that a repetition should take at least, by calling more than once what takes less: one call alone
#: is that of a processor that was busy with something else.
_SHORTEST, _MOST_CALLS = 0.002, 1000
#: Exponents that two sizes may suggest; what is outside is noise.
_LOWEST, _HIGHEST = 1.0, 3.5


def interleave(
    candidates: Mapping[str, Callable[[], object]],
    rounds: int,
    budget: float,
    progress: Callable[[str], None] = lambda name: None,
) -> dict[str, list[float]]:
    """Seconds of one call of every candidate, once, or up to ``rounds`` times while ``budget`` lasts.

    What takes less than two milliseconds is called several times in a row, and the mean counts.

    Parameters
    ----------
    budget: seconds after which a candidate is not repeated.
    progress: called with a candidate's name after its first repetition.
    """
    names = list(candidates)
    found: dict[str, list[float]] = {name: [] for name in names}
    calls = dict.fromkeys(names, 1)
    for number in range(rounds):
        # Every round begins elsewhere: what one leaves in the caches favours none of them.
        first = number % len(names) if names else 0
        for name in names[first:] + names[:first]:
            if number and sum(found[name]) * calls[name] >= budget:
                continue
            taken = _mean(candidates[name], calls[name])
            if number == 0 and taken < _SHORTEST:
                few = taken * _MOST_CALLS > _SHORTEST
                calls[name] = math.ceil(_SHORTEST / taken) if few else _MOST_CALLS
                taken = _mean(candidates[name], calls[name])
            found[name].append(taken)
            if number == 0:
                progress(name)
    return found


def _mean(call: Callable[[], object], times: int) -> float:
    """Seconds of one of several calls in a row."""
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times


def summary(seconds: Sequence[float], per: int = 1) -> dict[str, float | int]:
    """Minimum and median of repetitions, divided by ``per``, and how many there were."""
    return {
        "seconds": min(seconds) / per,
        "median": statistics.median(seconds) / per,
        "runs": len(seconds),
    }


def expected(size: float, known: Mapping[float, float], assumed: float = 2.0) -> float | None:
    """Seconds at ``size``, extrapolated from smaller sizes as a power law; None if none is known.

    Parameters
    ----------
    known: size to seconds.
    assumed: exponent where one size is known.
    """
    sizes = sorted(known)
    if not sizes:
        return None
    exponent = assumed
    if len(sizes) > 1:
        small, large = sizes[-2:]
        exponent = math.log(known[large] / known[small]) / math.log(large / small)
        exponent = min(max(exponent, _LOWEST), _HIGHEST)
    grown: float = (size / sizes[-1]) ** exponent
    return known[sizes[-1]] * grown
