"""Adversarial structured prediction for multivariate measures."""

__version__ = "0.1.0"
