"""One game or one sentence pair, written out or drawn."""
