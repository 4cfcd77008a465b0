"""The report: one page of everything that was scored, whole in itself, made from saved files alone."""
