"""Skips a test that cannot run here: it prints a message and passes, or fails if everything is required.

With CI=true or REQUIRE_ALL=1 everything is required; any other value but 0 and false is the same. SKIPPED names a file that collects the skipped tests, one per line.

  python3 Tests/skipping.py NAME REASON     skips NAME
  python3 Tests/skipping.py --told          prints the contents of that file in one line
"""

import os
import pathlib
import shutil
import sys


def requires_all():
    """Whether everything is required: the variables are set, and not to what means no."""
    return any(os.environ.get(name, "").lower() not in ("", "0", "false") for name in ("CI", "REQUIRE_ALL"))


def skip(name, reason):
    """Returns if the test may be skipped; else ends the program with status 1."""
    if requires_all():
        sys.exit(f"{name}: FAILED, {reason}; CI=true and REQUIRE_ALL=1 allow no test to be skipped")
    pass_over(name, reason)


def is_skipped_without(name, *programs):
    """Whether a test is skipped because one of the programs is not there."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        skip(name, f"there is no {missing[0]}")
    return bool(missing)


def pass_over(name, reason):
    """Notes that a public suite or library is not used, which may lie beside the project: it is never required."""
    print(f"{name}: SKIPPED, {reason}", flush=True)
    if path := os.environ.get("SKIPPED"):
        with open(path, "a") as file:
            file.write(f"{name} ({reason})\n")


def told():
    path = pathlib.Path(os.environ.get("SKIPPED", ""))
    lines = path.read_text().splitlines() if path.is_file() else []
    # Once for each: the Swift tests run in two builds.
    return "skipped: " + ("; ".join(dict.fromkeys(lines)) or "nothing")


if __name__ == "__main__":
    if sys.argv[1:] == ["--told"]:
        print(told())
    else:
        skip(*sys.argv[1:])
