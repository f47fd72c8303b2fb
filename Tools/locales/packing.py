"""Writes packs: see `pack.c` for the layout."""

import struct

MAGIC = b"CFPACK1\n"
# In the order of `cf_group`.
GROUPS = (
    "numbers", "latin numbers", "symbols", "own patterns", "patterns", "months", "weekdays", "day periods",
    "relative long", "relative short", "and", "or", "cardinal", "ordinal", "codes",
)
RIGHT_TO_LEFT = 1


class Pack:
    def __init__(self, version):
        self.version = version
        self.strings = {"": 0}
        self.groups = {(): 0}
        self.locales = []

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def group(self, texts):
        return self.groups.setdefault(tuple(map(self.string, texts)), len(self.groups))

    def add(self, tag, parent, flags, groups):
        """Adds a locale; `parent` is a tag, and `groups` maps names of groups to strings."""
        assert set(groups) <= set(GROUPS)
        self.locales.append((self.string(tag), parent, flags, [self.group(groups.get(name, ())) for name in GROUPS]))

    def bytes(self):
        texts = [text.encode() for text in self.strings]
        assert len(texts) < 65536 and max(map(len, texts)) < 1024
        tags = {identifier: index for index, (identifier, *_) in enumerate(self.locales)}
        body = starts(map(len, texts)) + starts(map(len, self.groups))
        body += b"".join(struct.pack(f"<{len(ids)}H", *ids) for ids in self.groups)
        for identifier, parent, flags, groups in self.locales:
            body += struct.pack(f"<{3 + len(groups)}H", identifier, tags[self.strings[parent]], flags, *groups)
        body += b"".join(texts)
        header = struct.pack(
            "<8s6I16s", MAGIC, 48 + len(body), len(texts), len(self.groups), sum(map(len, self.groups)),
            len(self.locales), sum(map(len, texts)), self.version.encode())
        return header + body


def starts(counts):
    """Where each of some runs starts, and where the last ends."""
    found = [0]
    for count in counts:
        found.append(found[-1] + count)
    return struct.pack(f"<{len(found)}I", *found)
