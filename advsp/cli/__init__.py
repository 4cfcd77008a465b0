"""The command line: one file a command, each of which parses and then calls one plain function."""
