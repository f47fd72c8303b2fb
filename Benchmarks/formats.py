#!/usr/bin/env python3
"""Times formats, in nanoseconds a value: numbers, money, dates, relative dates and plurals in four locales.

  python3 Benchmarks/formats.py [--zones /usr/share/zoneinfo]

Values are the texts of a row; dates are parsed, shifted to Europe/Berlin and printed. The time is that of the thread, the
least of some rounds.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/Formats"))

import engine  # noqa: E402


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--zones", default="/usr/share/zoneinfo")
    options = arguments.parse_args()
    program = ROOT / ".build-formats/benchmark"
    engine.build(program, main=ROOT / "Benchmarks/formats.c")
    sys.exit(subprocess.run([program, options.zones]).returncode)


main()
