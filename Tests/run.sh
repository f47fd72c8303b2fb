#!/usr/bin/env bash
# Runs the Swift tests with the arguments of `swift test`. After a failed run, the failures are repeated at the end, so
# that they are easy to find, followed by the runner's closing line. The exit status is the runner's, or 1 if no test was run.
set -uo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT

swift test --disable-index-store --disable-xctest --enable-swift-testing "$@" 2>&1 | tee "$output"
status=$?
if [ "$status" = 0 ] && ! grep -q 'Test run with [1-9]' "$output"; then
  echo "error: no test was run; does a filter match any?" | tee -a "$output"
  status=1
fi
# Only the public suites may be missing anywhere, because they are stored next to the project.
if [ -n "${SKIPPED:-}" ]; then
  sed -nE 's/^➜ +(Suite|Test) ([^ ]+) skipped: "(.*)"$/\2 (\3)/p' "$output" >>"$SKIPPED"
fi
if [ "$status" != 0 ]; then
  echo
  echo "What failed:"
  # Lines with `↳` explain an issue. In tests with arguments, each case repeats its failure.
  grep -E '✘|↳|recorded an issue|error: |Fatal error|Crash' "$output" | grep -v 'Test run with'
  # A crashed run has no closing line, so its last lines are shown instead.
  grep 'Test run with' "$output" | tail -n 1 | grep . || tail -n 5 "$output"
fi
exit "$status"
