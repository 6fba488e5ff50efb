"""What runs beside the web processes: dispatcher, clock, workers, bots. RQ stops here and in ``service.queue``."""
