"""From one configuration to scores: preparing, training, choosing, evaluating."""
