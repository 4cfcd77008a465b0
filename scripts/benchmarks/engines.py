"""The ways to solve games that are registered here: LP solvers times oracles."""

from __future__ import annotations

from collections.abc import Callable, Collection

from advsp.engine.lp import open_session, solvers
from advsp.engine.oracles import open_oracle, oracles
from advsp.engine.settings import Engine
from advsp.support.errors import InputError

#: What every installation has; ratios are relative to it.
BASELINE = Engine("linprog", "numpy")
#: Engines without compiled code, the fastest first.
_NUMPY = (Engine("highs", "numpy"), BASELINE)
#: Compiled code; LP solver and oracle together are one call.
COMPILED = Engine("compiled", "compiled")


def label(engine: Engine) -> str:
    """How tables call an engine."""
    return f"{engine.lp} × {engine.oracle}"


def installed(remark: Callable[[str], None] = lambda text: None) -> tuple[list[str], list[str]]:
    """LP solvers and oracles that can be used here; ``remark`` is told what is missing."""

    def usable(kind: str, names: list[str], opens: Callable[[str], object]) -> list[str]:
        found = []
        for name in names:
            try:
                opens(name)
            except InputError as error:
                remark(f"{kind} {name} is left out: {error.problem}")
            else:
                found.append(name)
        if "compiled" not in names:
            remark(f"{kind} compiled is left out: there is none")
        return found

    return (
        usable("LP solver", solvers.names(), open_session),
        usable("oracle", oracles.names(), open_oracle),
    )


def every_engine(iterations: int) -> list[Engine]:
    """All pairs of what is installed, those with the fastest oracles first."""
    lps, responders = installed()
    return [Engine(lp, oracle, iterations) for oracle in responders for lp in lps]


def training_engines() -> list[Engine]:
    """Engines that trainings are compared over: compiled, and numpy with every LP solver."""
    lps, responders = installed()
    compiled = [COMPILED] if "compiled" in lps and "compiled" in responders else []
    return [*compiled, *(Engine(lp, "numpy") for lp in lps if lp != "compiled")]


def fastest_numpy() -> Engine:
    """The fastest engine without compiled code."""
    lps, _ = installed()
    return next(engine for engine in _NUMPY if engine.lp in lps)


def fastest() -> Engine:
    """The fastest engine installed."""
    return COMPILED if COMPILED in training_engines() else fastest_numpy()


def numpy_engine(labels: Collection[str]) -> str:
    """Of some engines' labels the fastest one without compiled code."""
    return next((name for name in map(label, _NUMPY) if name in labels), label(BASELINE))
