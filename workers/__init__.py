"""The processes beside the web processes: dispatcher, sweeper, workers, courier, and the bots."""
