"""Makes a cell and a row that differ smaller, as long as they differ in the same way."""

import copy
import dataclasses

from language import Element, Section, Text, joined

ATTEMPTS = 250


def called(cells, kind):
    """The cells that a kind can call; with a dynamic name all."""
    text = repr(cells[kind])
    if "is_dynamic=True" in text:
        return cells
    found = {kind: cells[kind]}
    for other in cells:
        if f"Partial(kind='{other}'" in text and other != kind:
            found |= called(cells, other)
    return found


def shrunk(cells, item, mode, differs):
    cells = called(cells, item[0])
    found = differs(cells, item, mode)
    if found is None:
        return cells, item, mode, None
    attempts, is_smaller = 0, True
    while is_smaller and attempts < ATTEMPTS:
        is_smaller = False
        for case in smaller(cells, item):
            attempts += 1
            if attempts > ATTEMPTS:
                break
            result = differs(*case, mode)
            if result and result[0] == found[0]:
                cells, item, found, is_smaller = *case, result, True
                break
    return cells, item, mode, found


def smaller(cells, item):
    others = [kind for kind in cells if kind != item[0]]
    size = len(others)
    while size > 1:
        for start in range(0, len(others), size):
            left_out = set(others[start:start + size])
            yield {name: cell for name, cell in cells.items() if name not in left_out}, item
        size //= 4
    for kind in cells:
        if kind != item[0] and len(others) < 12:
            yield {name: cell for name, cell in cells.items() if name != kind}, item
    for kind, cell in cells.items():
        for other in smaller_nodes(cell):
            yield cells | {kind: other}, item
    for row in smaller_values(item[1]):
        if isinstance(row, dict):
            yield cells, (item[0], row)


def smaller_nodes(node):
    """Copies of a node with one thing less."""
    if isinstance(node, (Element, Section)):
        for place, child in enumerate(node.content):
            rest = [*node.content[:place], *node.content[place + 1:]]
            yield dataclasses.replace(node, content=joined(rest))
            if isinstance(child, (Element, Section)) and child.content:
                yield dataclasses.replace(node, content=joined([*node.content[:place], *child.content, *node.content[place + 1:]]))
        for place, child in enumerate(node.content):
            for other in smaller_nodes(child):
                yield dataclasses.replace(node, content=[*node.content[:place], other, *node.content[place + 1:]])
    if isinstance(node, Element):
        for name in ("outlet", "missing", "include"):
            if getattr(node, name):
                yield dataclasses.replace(node, **{name: None})
        for name in ("when", "bindings"):
            entries = getattr(node, name)
            for place in range(len(entries)):
                yield dataclasses.replace(node, **{name: [*entries[:place], *entries[place + 1:]]})
        for name in node.attributes:
            yield dataclasses.replace(node, attributes={other: parts for other, parts in node.attributes.items() if other != name})
    if isinstance(node, Text) and len(node.text) > 1:
        yield Text("x")
        yield Text(" ")


def smaller_values(value):
    if isinstance(value, dict):
        for name in value:
            yield {other: item for other, item in value.items() if other != name}
        for name, item in value.items():
            for other in smaller_values(item):
                yield value | {name: other}
    elif isinstance(value, list):
        for place in range(len(value)):
            yield [*value[:place], *value[place + 1:]]
        for place, item in enumerate(value):
            for other in smaller_values(item):
                yield [*value[:place], other, *value[place + 1:]]
