"""Counts a script's checks and collects the failed ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from skipping import skip  # noqa: E402, F401

problems = []
counted = 0


def expect(condition, *words):
    """Counts a check; the words say what is wrong where it fails."""
    global counted
    counted += 1
    if not condition:
        problems.append(" ".join(str(word) for word in words))


def end(name, *more):
    """Prints what is wrong, and how many checks there were; status 1 if anything is."""
    for problem in problems:
        print(problem)
    print("; ".join([f"{name}: {counted} checks, {len(problems)} failed", *more]))
    sys.exit(1 if problems else 0)
