"""Tasks: what an experiment does with each kind of corpus, one file a task.

See :mod:`advsp.tasks.base` for the contract; the registered names are the kinds of corpora.
"""

from __future__ import annotations

from advsp.support.registry import Registry
from advsp.tasks.base import Task

tasks: Registry[type[Task]] = Registry("kind of corpus", "advsp.tasks", plugins="advsp.tasks")

#: The kind of a corpus that does not say its own.
DEFAULT_KIND = "conll"
