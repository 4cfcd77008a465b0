"""Learners: one file each.  See :mod:`advsp.learners.base` for the contract."""

from __future__ import annotations

from advsp.learners.base import Learner
from advsp.support.registry import Registry

learners: Registry[type[Learner]] = Registry("learner", "advsp.learners", plugins="advsp.learners")
