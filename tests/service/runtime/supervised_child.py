"""A process to supervise: it notes its id in a file; then it ends at once, or sleeps until a signal ends it.
"reports" takes its time, and reports that it is ready.

python -m tests.service.runtime.supervised_child FILE ends|sleeps|ignores-sigterm|reports
"""

import os
import signal
import sys
import time

if __name__ == "__main__":
    if sys.argv[2] == "ignores-sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.argv[2] == "reports":
        time.sleep(0.3)
    with open(sys.argv[1], "a") as notes:  # noqa: PTH123 - pathlib takes longer to import than all the rest
        notes.write(f"{os.getpid()}\n")
    if sys.argv[2] == "reports":
        from service.common.child_process import report_ready

        report_ready()
    if sys.argv[2] != "ends":
        time.sleep(600)
    sys.exit(7)
