#!/bin/sh
# Runs a Python script with parsers from PyPI, in an environment of their own: run.sh FOLDER SCRIPT [ARGUMENTS]
#
# Where the parsers cannot be had, says so and passes; a parser that is not the one that was pinned is an error.
set -eu
here=$(dirname "$0")
folder=$1
shift
if ! cmp -s "$here/requirements.txt" "$folder/installed.txt"; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  log="$folder/install.log"
  if ! "$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes --retries 2 --timeout 20 \
    -r "$here/requirements.txt" >"$log" 2>&1; then
    cat "$log" >&2
    if grep -qi 'hash' "$log"; then exit 1; fi
    echo "$1: SKIPPED, PyPI cannot be reached"
    exit 0
  fi
  cp "$here/requirements.txt" "$folder/installed.txt"
fi
exec "$folder/bin/python" "$@"
