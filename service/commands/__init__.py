"""The commands of ``plateau`` that look at a running service; ``service.cli`` names them."""
