"""Chains whose distribution is known, what is best to say of them, and what learners lose against that."""
