"""Systems on equal footing: runs, the same settings on other sentences, differences, page and figure."""
