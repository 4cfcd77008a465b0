"""Aligners that see no labels, by the size of the text that they learn from."""
