#!/usr/bin/env python3
"""Checks the escapers with real parsers: the output at a place is the value and nothing else.

For every context and some thousands of values, renders the cell with the real command and parses the output with
html5lib. Tags, attributes and nesting must be those of a harmless value, all static text must be unchanged, and the
output at the value's place must pass the context's judge. Prints errors; status 1 if there are any.
"""

import argparse
import multiprocessing
import subprocess
import sys
import time

import html5lib

import contexts
import payloads
import rendering

HARMLESS = "x"


def read(markup, place):
    """Returns the tree of an output without the text at the place, and that text; None if the place is missing."""
    tag, _, attribute = place.partition("@")
    prefix, _, local = attribute.rpartition(":")
    found = None
    nodes = []

    def walk(element, depth):
        nonlocal found
        name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "comment"
        attributes = {(key.rpartition("}")[2]): value for key, value in element.attrib.items()}
        content = element.text or ""
        if name == tag and found is None:
            wanted = local if prefix and local in attributes else attribute
            if not attribute:
                # All text below it, so that an element in it shows as one that should not be there.
                found, content = "".join(element.itertext()) if len(element) == 0 else content, None
            elif wanted in attributes:
                found, attributes[wanted] = attributes[wanted], None
        nodes.append((depth, name, sorted(attributes.items(), key=str), content))
        for child in element:
            walk(child, depth + 1)
        nodes.append((depth, element.tail or ""))

    walk(html5lib.parseFragment(markup, container="div", treebuilder="etree"), 0)
    return nodes, found


def judge(binary, context, values):
    """Returns the faults, each as a value and a message."""
    outputs = rendering.rendered(binary, context, [HARMLESS] + values)
    expected = read(outputs[0], context.place)
    if expected[1] is None:
        return [(HARMLESS, f"{context.place} is not there: {outputs[0]!r}")]
    faults = []
    for value, output in zip(values, outputs[1:], strict=True):
        tree, found = read(output, context.place)
        if found is None or tree != expected[0]:
            wrong = "the structure is another"
        else:
            try:
                wrong = context.judge(found, value)
            except ValueError as error:
                wrong = str(error)
        if wrong:
            faults.append((value, f"{wrong}, in {output!r}"))
    return faults


def work(task):
    binary, context, values = task
    try:
        return context, len(values), judge(binary, context, values)
    except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
        return context, len(values), [(HARMLESS, str(error))]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(payloads.ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--edged", type=int, default=1700, help="of the strings with another at an edge, so many a context")
    arguments.add_argument("--only", help="contexts whose names contain this")
    options = arguments.parse_args()
    start = time.monotonic()
    base = payloads.base()
    chosen = [each for each in contexts.ALL if options.only is None or options.only in each.name]
    if not chosen:
        sys.exit(f"properties: no context has {options.only!r} in its name")
    tasks = [
        (options.binary, context, base + payloads.some_edged(base, options.edged, number))
        for number, context in enumerate(chosen)
    ]
    failed = 0
    strings = 0
    with multiprocessing.Pool() as pool:
        for context, count, faults in pool.imap(work, tasks):
            strings += count
            if faults:
                failed += 1
                print(f"{context.name}: {len(faults)} of {count} values, {context.template}")
                for value, wrong in faults[:5]:
                    print(f"  {value!r}: {wrong}")
        control = work((options.binary, contexts.CONTROL, base))[2]
    if len(control) < 100:
        failed += 1
        print(f"control: only {len(control)} values are seen to do harm where nothing is escaped: {control[:1]}")
    print(f"properties: {len(chosen)} contexts, {strings} values, {time.monotonic() - start:.0f} s")
    print(f"{len(chosen) + 1 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
