"""Training and predicting from Python, by scikit-learn's contract: ``fit``, ``predict``, ``score``."""
