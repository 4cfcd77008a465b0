"""How well predictions fit the gold labelling: counts per example, scores of counts, their uncertainty.

A metric is a class registered in :data:`metrics`; see :mod:`advsp.metrics.base` for the contract.  Every
registered measure of a target is one, too, over the tokens of a corpus: ``token_kappa``, ``token_mcc``, ...
"""

from __future__ import annotations

from advsp.metrics.base import Metric
from advsp.support.registry import Registry

metrics: Registry[type[Metric]] = Registry("metric", "advsp.metrics", plugins="advsp.metrics")
