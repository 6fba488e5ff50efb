#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/plateau /var/backups/plateau /etc/plateau
    if getent passwd plateau >/dev/null; then userdel plateau; fi
fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
