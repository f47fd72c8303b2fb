"""Counts a script's checks and collects the failed ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from skipping import skip  # noqa: E402, F401

problems = []
counted = 0


def expect(condition, *words):
    """Counts a check. If it fails, the words say what is wrong."""
    global counted
    counted += 1
    if not condition:
        problems.append(" ".join(str(word) for word in words))


def end(name, *more):
    """Prints the problems and the number of checks, and ends with status 1 if there are problems."""
    for problem in problems:
        print(problem)
    print("; ".join([f"{name}: {counted} checks, {len(problems)} failed", *more]))
    sys.exit(1 if problems else 0)
