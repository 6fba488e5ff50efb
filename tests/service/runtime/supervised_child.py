"""A process to supervise: it notes its id in a file; then it ends at once, or sleeps until a signal ends it.

python -m tests.service.runtime.supervised_child FILE ends|sleeps|ignores-sigterm
"""

import os
import signal
import sys
import time

if __name__ == "__main__":
    if sys.argv[2] == "ignores-sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(sys.argv[1], "a") as notes:  # noqa: PTH123 - pathlib takes longer to import than all the rest
        notes.write(f"{os.getpid()}\n")
    if sys.argv[2] != "ends":
        time.sleep(600)
    sys.exit(7)
