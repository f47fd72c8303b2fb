"""Kinds: thousands that are loaded and not asked for change nothing for those that are."""

import json
import shutil
import subprocess
import time

from instructions import REQUESTS, without_debug_information
from scaling.check import Check, Failure, within
from scaling.counting import request_count
from scaling.server import TEMPLATES, Server
from workloads import encoded, workloads

MANY = 10_000
TOLERANCE = 0.01
# So many cells with formats, in so many locales, load in this time.
FORMATTED, LOCALES, FORMATTED_SECONDS = 1000, "de,fr,es,it,pt,nl,sv,da,nb,fi,pl,cs,ru,uk,tr,ar,he,ja,ko,zh", 1.5
FORMATTED_CELL = """<li class="card-{0}"><b>{{{{price{0} | currency EUR}}}}</b> <i title="{{{{day | date long}}}}">{{{{day | relative}}}}</i>
  {{{{n{0} | number digits={1}}}}} {{{{names | list}}}} {{{{#n{0} | plural one}}}}one{{{{/n{0}}}}}{{{{#n{0} | plural other}}}}more{{{{/n{0}}}}}</li>
"""
# A cell with names that no other cell has, and some that all have.
VARIANT = """<li class="card card-{0}"><h2>{{{{title}}}}</h2>{{{{#field{0}}}}}
  <p title="{{{{field{0}.hint}}}}">{{{{only{0}}}}}, {{{{author.name}}}}</p>{{{{/field{0}}}}}
</li>
"""


def checks(options, folder):
    many = folder / "templates"
    shutil.copytree(TEMPLATES, many)
    for number in range(MANY):
        # In folders of a hundred, as designers would.
        file = many / f"cards-{number // 100:02}" / f"card-{number:05}.mustache"
        file.parent.mkdir(exist_ok=True)
        file.write_text(VARIANT.format(f"{number:05}"))

    start = time.monotonic()
    with Server(options.server, "--templates", many, "--workers", 1) as server:
        seconds, bytes_many = time.monotonic() - start, server.resident_bytes()
    with Server(options.server, "--templates", TEMPLATES, "--workers", 1) as server:
        bytes_few = server.resident_bytes()
    found = [Check(
        f"{MANY:,} kinds: from start to listening; memory a kind",
        f"{seconds:.1f} s; {(bytes_many - bytes_few) / MANY:,.0f} bytes")]

    found.append(formatted(options, folder / "formatted"))

    # As archives, which valgrind loads sooner; what is loaded is the same.
    archives = [archive(options.server, templates, folder / f"{name}.archive")
                for name, templates in (("few", TEMPLATES), ("many", many))]
    binary = without_debug_information(folder, options.server)
    for name, path, body, requests in asked():
        few, many = (request_count(folder, binary, path, body, requests, "--archive", file) for file in archives)
        found.append(within(f"{name}: instructions a request, without and with {MANY:,} kinds", many, few, TOLERANCE))
    return found


def formatted(options, folder):
    folder.mkdir()
    for number in range(FORMATTED):
        (folder / f"card-{number:04}.mustache").write_text(FORMATTED_CELL.format(number, number % 10))
    start = time.monotonic()
    with Server(options.server, "--templates", folder, "--locales", LOCALES, "--workers", 1):
        seconds = time.monotonic() - start
    return Check(
        f"{FORMATTED:,} kinds with formats, in {LOCALES.count(',') + 1} locales and English: from start to listening",
        f"{seconds:.2f} s", f"≤ {FORMATTED_SECONDS} s", seconds <= FORMATTED_SECONDS)


def archive(binary, templates, file):
    run = subprocess.run([binary, "archive", templates, "--output", file], capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        raise Failure(f"cellfactory archive: {run.stderr[-4000:]}")
    return file


def asked():
    made = {workload.name: workload for workload in workloads()}
    for name in ("tiny", "news"):
        yield name, f"/cells/{made[name].kind}", made[name].body, REQUESTS[name]
    items = [
        {"kind": workload.kind, "id": number, "data": row}
        for workload in made.values() for number, row in enumerate(json.loads(workload.body)[:3])]
    items += [{"nib": "feed", "class": "NewsCell", "data": json.loads(made["news"].body)[0]}]
    yield "mixed", "/cells?format=json", encoded(items), (100, 500)
