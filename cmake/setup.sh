#!/bin/sh
# setup.sh [SECTION…]: installs the Debian packages that these sections of packages.txt name and that are missing; all
# sections where none is given. Needs root (or sudo) only then.
set -eu
cd "$(dirname "$0")"

sections=${*:-$(sed -n 's/^\[\(.*\)\].*/\1/p' packages.txt)}
missing=""
for section in $sections; do
  packages=$(sed -n "/^\[$section\]/,/^\[/p" packages.txt | grep -v '^\[\|^#' || true)
  [ -n "$packages" ] || { echo "setup: packages.txt has no section [$section]" >&2; exit 1; }
  for package in $packages; do
    # one|other: releases call it differently, and either will do.
    dpkg-query -W -f='${Status}\n' $(echo "$package" | tr '|' ' ') 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
  done
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: these packages are missing and only root can install them:$missing" >&2; exit 1; }
  as_root=sudo
fi
echo "Installing Debian packages:$missing"
known() {  # the first of one|other that this release has
  for name in $(echo "$1" | tr '|' ' '); do
    if [ -n "$(apt-cache search --names-only "^$name\$")" ]; then echo "$name"; return; fi
  done
  echo "$1" | cut -d'|' -f1
}
log=$(mktemp)
if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
  $(for package in $missing; do known "$package"; done); } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm -f "$log"
