"""How the service reads JSON from outside: forms, and the faults that they find."""
