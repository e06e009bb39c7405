#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the packages named in PACKAGES_apt, PACKAGES_dnf or PACKAGES_brew
# that are missing; where it may not, prints the command to run.
set -eu
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo "$@"
    else
        echo "These packages are missing and installing them needs root. Run:" >&2
        echo "    sudo $*" >&2
        exit 1
    fi
}
if command -v apt-get >/dev/null; then
    missing=
    for package in $PACKAGES_apt; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && exit 0
    echo "installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    [ "$(id -u)" = 0 ] && apt-get update -qq
    # shellcheck disable=SC2086
    as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
elif command -v dnf >/dev/null; then
    missing=
    for package in $PACKAGES_dnf; do rpm -q "$package" >/dev/null 2>&1 || missing="$missing $package"; done
    [ -z "$missing" ] && exit 0
    # shellcheck disable=SC2086
    as_root dnf install -y $missing
elif command -v brew >/dev/null; then
    # shellcheck disable=SC2086
    [ -z "$PACKAGES_brew" ] || brew install $PACKAGES_brew
else
    echo "No known package manager. Install: $PACKAGES_apt (Debian's names)." >&2
    exit 1
fi
