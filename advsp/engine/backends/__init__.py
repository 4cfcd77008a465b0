"""Where games are played and losses computed: in numpy, or in compiled kernels.

It is chosen once, by :func:`advsp.engine.backends.opening.open_backend`; whoever trains or predicts asks the
backend and never asks which one it is.
"""

from __future__ import annotations
