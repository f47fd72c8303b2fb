#!/usr/bin/env python3
"""Checks that loading a folder takes no more memory than docs/operations.md says, whatever is in the folder.

  python3 Tests/Memory/loading.py --binary CELLFACTORY [--only WORD]

Each folder below is made to take much memory for its size, and `check` reads it. Status 1 if one takes more than the memory
limit of the manifests in deploy/, or ends otherwise than it should: most are loaded, and some refused for a limit.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time

LIMIT_MIB = 512
SECONDS = 600


# A picture to whoever reads its first bytes.
IMAGE = b"\x89PNG\r\n\x1a\n" + b"x" * 65_000


def each(count, text):
    return "".join(text.replace("%", str(number)) for number in range(count))


def kinds(count, text):
    return {f"a{number}.mustache": text(number) for number in range(count)}


def nib(*cells):
    return {"n.html": "\n".join(cells)}


def chain(number):
    return "{{$t}}x{{/t}}" if number == 0 else f"{{{{<a{number - 1}}}}}{{{{$t}}}}y{{{{$u{number}}}}}z{{{{/u{number}}}}}{{{{/t}}}}{{{{/a{number - 1}}}}}"


def classes(count):
    return [f'<p data-cell="a{cell}" data-class="{" ".join(f"{256 * cell + number:x}" for number in range(256))}">x</p>'
            for cell in range(count)]


# Words of a condition, and cases of a plural, as many as there may be.
WORDS = ",".join(str(number) for number in range(32))
CASES = "".join(f'<b data-case="={number}">x</b>' for number in range(60))

# At most what a folder may have: 100,000 files, and 32 MiB in all.
FOLDERS = {
    "parents of parents": lambda: kinds(30_000, chain),
    "more parents of parents": lambda: kinds(20_000, chain),
    "small kinds": lambda: kinds(95_000, lambda number: "<p>{{t}}</p>"),
    "overrides of one parent": lambda: kinds(50_000, lambda number: f"{{{{<b}}}}{{{{$t}}}}y{{{{$u{number}}}}}z{{{{/u{number}}}}}{{{{/t}}}}{{{{/b}}}}")
    | {"b.mustache": "<p>{{$t}}x{{/t}}</p>"},
    "parents in values": lambda: kinds(
        25_000, lambda number: f'<p data-x{number}="{{{{<b{number // 200}}}}}{{{{$t}}}}y{{{{/t}}}}{{{{/b{number // 200}}}}}"></p>')
    | {f"b{number}.mustache": "{{$t}}x{{/t}}" for number in range(200)},
    "blocks in values": lambda: kinds(80, lambda number: each(250, f'<p data-x{number}_%="{{{{$t%}}}}y{{{{/t%}}}}"></p>')),
    "parents in one cell": lambda: {"b.mustache": "{{$t}}x{{/t}}", "a.mustache": each(60_000, "{{<b}}{{$t}}y{{/t}}{{/b}}")},
    "blocks": lambda: {"a.mustache": each(110_000, "{{$b%}}{{/b%}}")},
    "overrides of many blocks": lambda: {
        "a.mustache": each(8000, '<i data-k%="{{$t}}{{/t}}"></i>'), "b.mustache": "{{<a}}{{$t}}x{{/t}}{{/a}}" * 8000},
    "calls": lambda: {"b.mustache": "x", "a.mustache": each(350_000, "{{>b}}")},
    "sections in tags": lambda: {
        "a.mustache": "{{#o}}" + f'<p {each(990, "{{#a}}x%{{/a}} ")}></p>' * 60 + "{{/o}}"},
    "sections": lambda: {"a.mustache": each(180_000, "{{#a%}}{{/a%}}")},
    "names": lambda: {"a.mustache": each(280_000, "{{a%}}")},
    "included cells": lambda: {"b.mustache": "<i>x</i>"} | nib(
        '<div data-cell="a">' + each(200_000, '<b data-include="b"></b>') + "</div>"),
    "outlets": lambda: nib('<div data-cell="a">' + each(240_000, '<b data-outlet="o%">x</b>') + "</div>"),
    "conditions": lambda: nib('<div data-cell="a">' + each(50_000, '<b data-when="a%=x b>3 !c">x</b>') + "</div>"),
    "long lists of conditions": lambda: nib('<div data-cell="a">' + f'<b data-when="{each(32, "a%=x ")}">x</b>' * 12_000 + "</div>"),
    "conditions with many words": lambda: nib(
        '<div data-cell="a">' + each(150_000, f'<b data-when="b={WORDS}">x</b>') + "</div>"),
    "bindings with many words": lambda: nib(
        '<div data-cell="a">' + each(140_000, f'<b data-bind="hidden:b={WORDS}">x</b>') + "</div>"),
    "plurals of many numbers": lambda: nib(
        *(f'<p data-cell="a{number}" data-plural="a">{CASES}<b data-case="other">x</b></p>' for number in range(3000))),
    "Mustache plurals of many numbers": lambda: {
        f"a{number}.mustache": each(90_000, "{{#a | plural " + " ".join(f"={value}" for value in range(16)) + "}}x{{/a}}")
        for number in range(3)},
    "bindings": lambda: nib('<div data-cell="a">' + each(50_000, """<b data-bind="title:'{a%} {b}'; class.x:c%">x</b>""") + "</div>"),
    "tokens of one binding": lambda: nib('<div data-cell="a"><b data-bind="' + each(400_000, "class.x%:a;") + '">x</b></div>'),
    "words of one binding": lambda: nib(f"""<div data-cell="a"><b data-bind="class+:'{"a " * 8_000_000}{{x}}'">x</b></div>"""),
    "formats with options": lambda: nib(
        '<div data-cell="a">' + each(150_000, '<b data-outlet="o%" data-format="number">x</b>') + "</div>"),
    "actions": lambda: nib(each(780, '<div data-cell="a%">' + each(256, '<b data-action="b%">x</b>') + "</div>")),
    "small cells of a nib": lambda: nib(each(60_000, '<p data-cell="a%"><b data-outlet="x">x</b></p>')),
    "classes of cells": lambda: nib(each(2000, '<p data-cell="a%" data-class="' + each(256, "c% ") + '">x</p>')),
    "different classes of cells": lambda: nib(*classes(3200)),
    "more different classes of cells": lambda: nib(*classes(5000)),
    "style elements": lambda: nib("<style>" + each(600_000, ".a%{color:red}") + "</style>", '<p data-cell="a">x</p>'),
    "named formats": lambda: {"formats.json": json.dumps({f"f{number}": "currency EUR" for number in range(4096)}),
                              "a.mustache": "x"},
    "a long list of named formats": lambda: {"formats.json": json.dumps({f"f{number}": "number" for number in range(600_000)}),
                                             "a.mustache": "x"},
    "custom elements": lambda: {
        "custom-elements.json": json.dumps({"schemaVersion": "1.0.0", "modules": [{"kind": "javascript-module", "path": "x.js", "declarations": [
            {"kind": "class", "customElement": True, "tagName": f"x-{number}", "name": "X", "attributes": [{"name": f"a{number}"}]}
            for number in range(100_000)]}]}), "a.mustache": "x"},
    "sample rows": lambda: {"a.mustache": "{{a}}", "a.sample.json": "[" + ",".join(["{}"] * 4_000_000) + "]"},
    "members of samples": lambda: {"a.mustache": "{{a}}", "a.sample.json": "[{" + ",".join(f'"a{n}":1' for n in range(1_000_000)) + "}]"},
    "samples of many kinds": lambda: {name: text for number in range(40_000) for name, text in (
        (f"a{number}.mustache", "{{a}}"), (f"a{number}.sample.json", '[{"a":1,"b":{"c":[1,"x"]}}]'))},
    # Parts that are each within their limits.
    "cells and images": lambda: nib(
        each(80_000, "<p data-cell=k% data-class='A B'><b data-outlet=x>1</b></p>"),
        "<div data-cell=images>" + "<img data-embed src=b.png alt=''>" * 350 + "</div>") | {"b.png": IMAGE},
    "fewer cells and more images": lambda: nib(
        each(60_000, "<p data-cell=k% data-class='A B'><b data-outlet=x>1</b></p>"),
        "<div data-cell=images>" + "<img data-embed src=b.png alt=''>" * 370 + "</div>") | {"b.png": IMAGE},
    "cells and a large text": lambda: nib(each(80_000, "<p data-cell=k% data-class='A B'><b data-outlet=x>1</b></p>"))
    | {"b.mustache": "x" * 15_000_000, "a.mustache": '<p title="{{>b}}" lang="{{>b}}"></p>'},
    "names and images": lambda: {"a.mustache": each(270_000, "{{a%}}")} | nib(
        "<div data-cell=images>" + "<img data-embed src=b.png alt=''>" * 350 + "</div>") | {"b.png": IMAGE},
    "warnings": lambda: {"a.mustache": each(600_000, "{{>b%}}")},
}

# The errors of folders that are refused, which takes memory all the same. All others are to be loaded.
REFUSED = {"a long list of named formats": "invalid-format"} | dict.fromkeys([
    "parents of parents", "more parents of parents", "overrides of one parent", "overrides of many blocks", "sections in tags", "more different classes of cells", "outlets", "conditions with many words",
    "bindings with many words", "plurals of many numbers", "Mustache plurals of many numbers", "tokens of one binding", "words of one binding", "cells and images",
    "fewer cells and more images", "cells and a large text", "names and images", "warnings"], "load-limit")


def write(folder, files):
    """Writes files in a process of its own: what this one has in memory counts as that of the programs it starts."""
    def work():
        for file, text in files().items():
            pathlib.Path(folder, file).write_bytes(text if isinstance(text, bytes) else text.encode())

    writer = multiprocessing.get_context("fork").Process(target=work)
    writer.start()
    writer.join()
    if writer.exitcode:
        sys.exit("memory of loading: the files cannot be written")


def peak(command):
    """The status, the first line and the largest resident memory in MiB of a command."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.read().decode(errors="replace").splitlines()
        return process.returncode, (lines or [""])[0], usage.ru_maxrss / 1024


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", type=pathlib.Path, required=True)
    arguments.add_argument("--only", default="", help="a word in the names of the folders to load")
    options = arguments.parse_args()
    wrong, loaded = [], 0
    begin = time.monotonic()
    for name, files in FOLDERS.items():
        if options.only not in name:
            continue
        loaded += 1
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            start = time.monotonic()
            status, line, mib = peak([options.binary.resolve(), "check", folder, "--load-seconds", str(SECONDS)])
            print(f"{mib:6.0f} MiB {time.monotonic() - start:5.1f} s  {name}: {line.removeprefix(folder)[:110]}", flush=True)
            is_expected = status == 1 and f"[{REFUSED[name]}]" in line if name in REFUSED else status == 0
            if mib > LIMIT_MIB or not is_expected:
                wrong.append(name)
    if not loaded:
        sys.exit(f"memory of loading: no folder has {options.only!r} in its name")
    print(f"memory of loading: {len(wrong)} of the folders take more than {LIMIT_MIB} MiB, or end otherwise than they should ({', '.join(wrong) or 'none'}); {time.monotonic() - begin:.0f} s")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
