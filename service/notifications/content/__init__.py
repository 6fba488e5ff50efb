"""What players receive outside of the service, by mail or push: which notices, when, and in which words."""
