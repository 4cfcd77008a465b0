"""First drafts of configurations, made by looking at a user's files: what was guessed, and why."""
