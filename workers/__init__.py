"""What runs beside the web processes: dispatcher, sweeper, workers, bots."""
