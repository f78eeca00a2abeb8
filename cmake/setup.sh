#!/bin/sh
# Installs the Debian packages of cmake/packages.txt that are missing. Needs root (or sudo) only then.
set -eu
cd "$(dirname "$0")"

missing=""
for package in $(grep -v '^#' packages.txt); do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: these packages are missing and only root can install them:$missing" >&2; exit 1; }
  as_root=sudo
fi
echo "setup: installing$missing"
log=$(mktemp)
if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm -f "$log"
