"""What grapheme clusters are made of: Unicode Standard Annex 29, tables 2 and 1c, as ICU has them."""

import ctypes
import struct

import resources

PROPERTY = resources.function(resources.COMMON, "u_getIntPropertyValue", resources.NUMBER, resources.NUMBER, ctypes.c_int)
BREAK, CONJUNCT, PICTOGRAPH = 0x1012, 0x101A, 64
# ICU's names of Grapheme_Cluster_Break, in its order.
NAMES = ("other", "control", "cr", "extend", "l", "lf", "lv", "lvt", "t", "v", "mark", "prepend", "indicator")
# The zero width joiner has a value apart in ICU; here it is the one behind the others.
ICU_JOINER, JOINER = 17, 13
SYLLABLES = range(0xAC00, 0xD7A4)


def kind(scalar):
    """The break in four bits; of conjuncts 1 for a consonant, 2 for what extends one, 3 for a linker; the pictograph."""
    if scalar in SYLLABLES:
        # Counted, not listed: each 28th is `lv`.
        return 0
    value = PROPERTY(scalar, BREAK)
    value = JOINER if value == ICU_JOINER else value
    assert value < len(NAMES) + 1, scalar
    return value | PROPERTY(scalar, CONJUNCT) << 4 | (PROPERTY(scalar, PICTOGRAPH) << 6)


def section():
    """Where each run of characters of one kind starts: the character above, the kind in the lowest byte."""
    starts, last = [], None
    for scalar in range(0x110000):
        if (now := kind(scalar)) != last:
            starts.append(scalar << 8 | now)
            last = now
    return struct.pack(f"<{len(starts)}I", *starts)
