#!/usr/bin/env python3
"""Whether dependencies between the folders of a module go one way: layers.py [--edges]

`layers.txt` lists each module's folders from top to bottom. A file may name types of its own folder and of folders below
it. The types of a folder are those that its files declare at the top level. The line `.` is the place of the files that
lie in no folder; without it they are above all folders.

Prints each use that goes up, with file, line and type; status 1 if there is any. `--edges` prints which folder uses which.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ORDER = pathlib.Path(__file__).resolve().parent / "layers.txt"

DECLARATION = re.compile(
    r"^(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)",
    re.M,
)
WORD = re.compile(r"\b[A-Z]\w*\b")
STRING = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"')
COMMENT = re.compile(r"//[^\n]*|/\*(?:.|\n)*?\*/")


def blanked(match):
    """Returns a match's line breaks without its text."""
    return "\n" * match.group(0).count("\n")


def code(path):
    """Returns a file without comments and strings, including interpolated code."""
    return COMMENT.sub(blanked, STRING.sub(blanked, path.read_text()))


def modules():
    """Returns the folders of each module, from top to bottom."""
    result = {}
    for line in ORDER.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.endswith(":"):
            folders = result[line[:-1]] = []
        elif line:
            folders.append(line)
    return result


def main():
    faults, edges = [], collections.Counter()
    for module, folders in modules().items():
        base = ROOT / "Sources" / module
        present = {path.name for path in base.iterdir() if path.is_dir()}
        for name in present ^ (set(folders) - {"."}):
            faults.append(f"{ORDER.name}: {module}/{name} is {'not listed' if name in present else 'listed, but missing'}")
        rank = {"" if name == "." else name: place for place, name in enumerate(folders)}
        rank.setdefault("", -1)
        sources = {}
        for path in sorted(base.rglob("*.swift")):
            parts = path.relative_to(base).parts
            sources[path] = (parts[0] if len(parts) > 1 else "", code(path))
        homes = {}
        for folder, text in sources.values():
            for name in DECLARATION.findall(text):
                homes.setdefault(name, folder)
        for path, (folder, text) in sources.items():
            for number, line in enumerate(text.splitlines(), 1):
                for name in WORD.findall(line):
                    home = homes.get(name)
                    if home is None or home == folder:
                        continue
                    edges[module, folder, home] += 1
                    if rank.get(home, 0) < rank.get(folder, 0):
                        place = path.relative_to(ROOT)
                        faults.append(f"{place}:{number}: {folder} uses {name}, which is above it, in {home or module}")
    if "--edges" in sys.argv[1:]:
        for (module, user, used), count in sorted(edges.items()):
            print(f"{module}: {user or '.'} -> {used or '.'} {count}")
    for fault in dict.fromkeys(faults):
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
