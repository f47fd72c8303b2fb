#!/bin/sh
# Runs a Python script with packages from PyPI in a separate environment: run.sh FOLDER SCRIPT [ARGUMENTS]
#
# The packages are listed in the requirements.txt next to the script. If they are unavailable, the script is skipped (see
# skipping.py); a package that differs from the pinned one is an error.
set -eu
folder=$1
shift
requirements=$(dirname "$1")/requirements.txt
# Scripts without their own requirements use those in Tests/Properties.
[ -e "$requirements" ] || requirements=$(dirname "$0")/requirements.txt
# An environment for pip alone, which installs packages into all others: pip itself takes seconds to install.
pip() {
  pip_folder=.build-python-pip
  (
    flock 8
    [ -x "$pip_folder/bin/pip" ] || python3 -m venv "$pip_folder"
  ) 8>"$pip_folder.lock"
  "$pip_folder/bin/python" -m pip "$@"
}
# One at a time makes the environment: tests that run side by side share it.
exec 9>"$folder.lock"
flock 9
if ! cmp -s "$requirements" "$folder/installed.txt"; then
  rm -rf "$folder"
  python3 -m venv --without-pip "$folder"
  log="$folder/install.log"
  # Every package is pinned, so nothing has to be resolved.
  if ! pip --python "$folder/bin/python" install --quiet --disable-pip-version-check --require-hashes --no-deps \
    --retries 2 --timeout 20 -r "$requirements" >"$log" 2>&1; then
    cat "$log" >&2
    if grep -qi 'hash' "$log"; then exit 1; fi
    exec python3 "$(dirname "$0")/../skipping.py" "$1" "PyPI cannot be reached"
  fi
  cp "$requirements" "$folder/installed.txt"
fi
exec 9>&-
exec "$folder/bin/python" "$@"
