#!/bin/sh
set -e
# An upgrade restarts the service when the new files are there.
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now --quiet plateau.service plateau-backup.timer
fi
