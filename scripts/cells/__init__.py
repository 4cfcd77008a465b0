"""What the published cells of Table 3 are: measurements at saved weights, and the page about them."""
