"""What every room may use: errors, files, registries, YAML, progress, versions."""
