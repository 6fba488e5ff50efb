"""The doctor: what is wrong with a service and its store, and what to do about it."""
