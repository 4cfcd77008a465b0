"""What ``scripts/bench.py`` and ``scripts/figure_double_oracle.py`` measure, and how it is shown.

A section (:mod:`benchmarks.sections`) measures one thing and renders what it measured; everything it gives is
plain values, so that numbers are stored as JSON and all text is made from the JSON alone.
"""
