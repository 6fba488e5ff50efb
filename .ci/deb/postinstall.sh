#!/bin/sh
set -e
if ! getent passwd plateau >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/plateau --no-create-home --shell /usr/sbin/nologin plateau
fi
install --directory --owner plateau --group plateau --mode 700 /var/lib/plateau /var/backups/plateau
chown root:plateau /etc/plateau/plateau.conf
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --quiet plateau.service plateau-backup.timer
    systemctl restart plateau.service plateau-backup.timer
fi
