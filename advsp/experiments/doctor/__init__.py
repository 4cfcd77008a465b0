"""Whether an installation is in order: findings, one line each, each with a remedy where it is not."""
