"""What every room of the service uses: refusals, time, traces, counts."""
