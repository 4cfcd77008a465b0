"""What a trained system holds and says: its weights, how it learnt, what is hard for it, and its games."""
