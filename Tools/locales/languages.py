"""Likely subtags and distances between languages, as ICU's tables have them."""

import struct

import icu

import clusters
import resources


def scripts():
    names = b""
    for code in range(256):
        try:
            name = icu.Script(code).getShortName()
        except ValueError:
            name = ""
        names += name.encode().ljust(4, b"\0")[:4]
    return names


def aliases(listed, width):
    pairs = sorted(zip(listed[::2], listed[1::2]))
    assert all(len(name) <= width for pair in pairs for name in pair)
    return b"".join(name.encode().ljust(width, b"\0") for pair in pairs for name in pair)


def section():
    """The tables behind the pack: see `languages.c`."""
    info = resources.bundle("langInfo")
    likely, match = info["likely"], info["match"]
    partitions = match["partitions"]
    assert all(len(entry) <= 7 for entry in partitions)
    parts = [
        likely["trie"],
        struct.pack(f"<{len(likely['lsrnum'])}i", *likely["lsrnum"]),
        b"".join(name.encode().ljust(4, b"\0") for name in likely["m49"]),
        scripts(),
        aliases(likely["languageAliases"], 4),
        aliases(likely["regionAliases"], 4),
        match["trie"],
        match["regionToPartitions"],
        b"".join(entry.encode().ljust(8, b"\0") for entry in partitions),
        struct.pack("<4i", *match["distances"]),
        struct.pack(f"<{len(match['paradigmnum'])}i", *match["paradigmnum"]),
        clusters.section(),
    ]
    starts, bodies = [], b""
    for part in parts:
        starts.append(len(bodies))
        bodies += part + bytes(-len(part) % 4)
    return struct.pack(f"<{len(parts) * 2}I", *[
        value for start, part in zip(starts, parts) for value in (start, len(part))]) + bodies
