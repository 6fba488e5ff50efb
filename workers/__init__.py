"""The processes beside the web processes: dispatcher, sweeper, workers, bots."""
