"""What somebody else might add to the engine, each in a file of its own: tests register it and use it."""
