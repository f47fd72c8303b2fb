#!/usr/bin/env bash
# Runs the Swift tests, with the arguments of `swift test`. Of a failed run the failures are repeated at the end, where
# they are found among thousands of lines, and behind them the runner's own closing line. The status is the runner's.
set -uo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT

swift test "$@" 2>&1 | tee "$output"
status=$?
# Of these the public suites alone may be missing, anywhere: they lie beside the project.
if [ -n "${SKIPPED:-}" ]; then
  sed -nE 's/^➜ +(Suite|Test) ([^ ]+) skipped: "(.*)"$/\2 (\3)/p' "$output" >>"$SKIPPED"
fi
if [ "$status" != 0 ]; then
  echo
  echo "What failed:"
  # `↳` are the lines that explain an issue. Of tests with arguments each case says again what it failed.
  grep -E '✘|↳|recorded an issue|error: |Fatal error|Crash' "$output" | grep -v 'Test run with'
  # A run that crashed has no closing line: its last words stand for it.
  grep 'Test run with' "$output" | tail -n 1 | grep . || tail -n 5 "$output"
fi
exit "$status"
