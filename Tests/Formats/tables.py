#!/usr/bin/env python3
"""Checks that the committed tables of locales are those that were generated: their SHA-256, version and size.

  python3 Tests/Formats/tables.py
"""

import hashlib
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/CFormats"
VERSION = b"47"
# What they may add to the program.
BYTES_LIMIT = 600_000


def main():
    tables = (FOLDER / "locales.bin").read_bytes()
    expected, name = (FOLDER / "locales.sha256").read_text().split()
    found = hashlib.sha256(tables).hexdigest()
    problems = []
    if (found, name) != (expected, "locales.bin"):
        problems.append(f"locales.bin is {found}, not {expected}: generate it anew with Tools/locales/generate.py, on purpose")
    if tables[32:48].rstrip(b"\0") != VERSION:
        problems.append(f"the tables are of CLDR {tables[32:48]}, not {VERSION}")
    if len(tables) > BYTES_LIMIT:
        problems.append(f"the tables are {len(tables)} bytes")
    if "UNICODE LICENSE V3" not in (FOLDER / "UNICODE-LICENSE.txt").read_text(encoding="utf-8"):
        problems.append("Unicode's licence is not beside the tables")
    print(f"tables of locales: {len(tables):,} bytes; {len(problems)} problems", *problems, sep="\n")
    sys.exit(1 if problems else 0)


main()
