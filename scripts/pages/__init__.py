"""Pages of the documentation that are made from the code, so that nothing stands in two places."""
