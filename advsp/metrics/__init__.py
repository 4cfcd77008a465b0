"""How well predictions fit the gold labelling: counts per sentence, scores of counts, their uncertainty."""
