#!/usr/bin/env python3
"""Feeds the engine of formats random and damaged values, packs, tags and zone files, with the sanitizers of addresses
and of undefined behaviour.

  Tests/Properties/run.sh .build-python-formats Tests/Formats/robustness.py [--seconds 10] [--seed 1]
"""

import argparse
import importlib.resources
import subprocess
import sys

import engine

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Africa/Casablanca", "Antarctica/Troll", "UTC")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    program = engine.ROOT / ".build-formats/robustness"
    engine.build(
        program, "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1", f"-I{engine.SOURCES}",
        main=engine.ROOT / "Tests/Formats/robustness.c")
    folder = importlib.resources.files("tzdata").joinpath("zoneinfo")
    files = [str(folder.joinpath(*name.split("/"))) for name in ZONES]
    sys.exit(subprocess.run([program, str(options.seconds), str(options.seed), *files]).returncode)


main()
