"""Where jobs run: processes of this machine, shards of full batches, workers of a cluster."""
