"""The plan of a whole reproduction: steps, which of them are done, and how long the others take."""
