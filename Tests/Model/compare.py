#!/usr/bin/env python3
"""Compares the program with a plain model of the language, by random cells and rows.

  python3 Tests/Model/compare.py --binary BINARY [--count 100000] [--seed 1] [--seconds N] [--features urls,bindings,…] [--formats]

Writes some hundred random cells into nibs, serves them on loopback, posts several rows of each in every mode, and compares
contents, bad rows with their pointers, `CellFactory-Missing`, and how many values did not fit their formats. `--formats` adds formats
and plurals, for readers of many locales, and needs ICU: `Tests/Properties/run.sh .build-python-formats Tests/Model/compare.py …` has it.
Shrinks each difference to a small cell and row, and prints both outputs. Status 1 if anything differs. `--count` counts rows;
`--seconds` ends it earlier.
"""

import argparse
import collections
import http.client
import importlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from ending import end  # noqa: E402
from generate import MODES, Generator  # noqa: E402
from language import TextCell, source  # noqa: E402
from model import BadRow, Loop, Rendering, formats, needs_object  # noqa: E402
from shrink import called, shrunk  # noqa: E402
from values import parsed, written  # noqa: E402

FEATURES = "owner,paths,urls,conditions,bindings,mustache,includes"
LOCALES = ["en", "en-GB", "en-IN", "de", "de-AT", "de-CH", "fr", "es", "es-MX", "he", "ar", "ar-EG", "ja", "pl", "ru", "hi", "fa", "pt-PT",
           "cy", "ml", "lt", "sv", "zh-Hant-TW", "sr-Latn", "bn"]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]
NOWS = ["2025-10-09T12:00:00Z", "2025-03-31T23:59:59Z", "2024-02-29T00:00:00Z"]
MISFITS = re.compile(r"^cellfactory_unformatted_values_total (\d+)$", re.MULTILINE)
CALLED = 20
CELLS, ROWS_OF_A_CELL, CELLS_OF_A_NIB = 400, 8, 50
PATIENCE_SECONDS = 30
SHOWN, SHOWN_CELLS = 5, 12
OWNER = {"a": "Ada & B", "b": None}
ATTRIBUTE = re.compile(r"""\s([^\s"'>/=]+)(="[^"]*")?""")


class Server:
    """The program, serving cells."""

    def __init__(self, binary, cells):
        self.folder = tempfile.TemporaryDirectory()
        kinds = [kind for kind in cells if not isinstance(cells[kind], TextCell)]
        for kind in cells.keys() - set(kinds):
            pathlib.Path(self.folder.name, f"{kind}.txt.mustache").write_text(source(cells[kind]), encoding="utf-8", newline="")
        for start in range(0, len(kinds), CELLS_OF_A_NIB):
            nib = "".join(source(cells[kind], kind) + "\n" for kind in kinds[start:start + CELLS_OF_A_NIB])
            pathlib.Path(self.folder.name, f"n{start:05}.html").write_text(nib, encoding="utf-8", newline="")
        self.process = subprocess.Popen(
            [binary, "serve", "--templates", self.folder.name, "--port", "0", "--workers", "1", "--queue-seconds", "0", "--log-level", "error",
             # The model may take longer than a connection may be idle, on a machine that is busy.
             "--idle-seconds", "600", "--load-seconds", "120",
             "--locales", ",".join(LOCALES)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            self.refusal = self.process.communicate()[1].replace(self.folder.name, "")
            self.folder.cleanup()
            self.process = None
            return
        self.refusal = None
        url = urllib.parse.urlsplit(line.removeprefix("listening on ").strip())
        self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE_SECONDS)

    def misfits(self):
        """How many values did not fit their formats until now."""
        self.connection.request("GET", "/metrics")
        return int(MISFITS.search(self.connection.getresponse().read().decode())[1])

    def answers(self, items, setting):
        """For each item its content, or the pointers of what is bad; and the counts of missing names and of misfits in rows that
        are not bad, as (N, M, misfits)."""
        before = self.misfits()
        body = '{"owner":' + written(OWNER) + ',"rows":[' + ",".join(
            f'{{"kind":"{kind}","data":{written(row)}}}' for kind, row in items) + "]}"
        query = urllib.parse.urlencode({
            "format": "json", "fields": "html", "on_error": "skip", "missing": setting.mode, "locale": setting.locale,
            "time_zone": setting.zone, "now": setting.now})
        self.connection.request("POST", f"/cells?{query}", body.encode(),
                                {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            return None, content.decode()
        rows = [row.get("html", row.get("text")) if "error" not in row else sorted({error["pointer"] for error in row["error"]["errors"]})
                for row in json.loads(content)["rows"]]
        count = re.fullmatch(r"(\d+)(?:; drawn=(\d+))?", answer.getheader("CellFactory-Missing") or "0")
        return rows, (int(count[1]), int(count[2] or 0), self.misfits() - before)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.connection.close()
            self.folder.cleanup()
            end(self.process, PATIENCE_SECONDS)


class Setting(collections.namedtuple("Setting", "mode locale zone now")):
    """How a batch is asked for."""

    @property
    def clock(self):
        now = formats.read_moment(self.now).seconds if formats else 0
        return formats.Clock(self.locale, self.zone, now) if formats else None


def expected(cells, items, setting):
    rows, unfound, drawn, misfits = [], 0, 0, 0
    for index, (kind, row) in enumerate(items):
        pointer = f"/rows/{index}/data"
        try:
            if not isinstance(row, dict) and needs_object(cells, kind):
                raise BadRow(pointer)
            rendering = Rendering(cells, kind, row, pointer, Loop(index, len(items)), OWNER, setting.mode, setting.clock)
        except BadRow as bad:
            rows.append([str(bad)])
            continue
        if rendering.bad:
            rows.append(sorted(set(rendering.bad)))
        else:
            rows.append(rendering.output)
            unfound, drawn = unfound + rendering.missed, drawn + rendering.drawn
            misfits += rendering.misfits
    return rows, (unfound, drawn, misfits)


def are_same(one, other):
    if isinstance(one, list) and isinstance(other, list):
        # Each pointer counts once: under `error` a name may be reached several times.
        return set(one) == set(other)
    return type(one) is type(other) and in_order(one) == in_order(other)


def tokens(value):
    """The tokens of a list in order, with the white space around them: nothing is added where there is nothing."""
    text = value[2:-1].replace("&#13;", " ")
    return '="' + " ".join(sorted(text.split())) + '"' + " " * sum(map(str.isspace, text)) if value else value


def in_order(html):
    """Content with the attributes of each tag in the order of their names: the contract does not say where one is added."""
    # Parsers eat the first line end of these.
    html = re.sub(r"(<(?:pre|textarea)(?:\s[^>]*)?>)\n", r"\1", html)
    return re.sub(r"""<([a-z0-9]+)((?:\s+[^\s"'>/=]+(?:="[^"]*")?)*)\s*>""", lambda tag: f"<{tag[1]}" + "".join(
        sorted(f" {name}{tokens(value) if name == 'class' else value}" for name, value in ATTRIBUTE.findall(tag[2]))) + ">", html)


def differs(binary, cells, items, mode):
    """The first item that differs, alone, as the program and the model answer it; None if none does."""
    with Server(binary, cells) as server:
        if server.refusal:
            return "refused", server.refusal, ""
        got, got_count = server.answers(items, mode)
        wanted, wanted_count = expected(cells, items, mode)
        if got is None:
            return "status", got_count, ""
        for one, other in zip(got, wanted):
            if not are_same(one, other):
                return "pointers" if isinstance(one, list) or isinstance(other, list) else "content", one, other
        if got_count != wanted_count:
            return "count", got_count, wanted_count
    return None


class Comparison:
    def __init__(self, options):
        self.options, self.compared, self.start = options, 0, time.monotonic()
        self.features = set(options.features.split(","))
        if options.formats:
            # Says why, if they cannot be had: the model does without.
            importlib.import_module("formats")
            self.features.add("formats")
        self.differences = []
        # Kinds of which one difference is shown.
        self.noted = set()

    def shows_enough(self):
        return len(self.differences) >= self.options.most

    def is_over(self):
        return (self.compared >= self.options.count or self.shows_enough()
                or time.monotonic() - self.start > self.options.seconds)

    def run(self):
        seed = self.options.seed * 1_000_000
        while not self.is_over():
            self.round(Generator(seed, self.features))
            seed += 1

    def round(self, generator):
        cells = {}
        for number in range(CELLS):
            kind = f"k{number}"
            cells[kind] = generator.cell()
            # Few kinds are called, so that calls do not nest without end.
            if cells[kind].tag == "span" and len(generator.kinds) < CALLED:
                generator.kinds = [*generator.kinds, kind]
        with Server(self.options.binary, cells) as server:
            if server.refusal:
                return self.refused(cells, server.refusal)
            items = [(kind, generator.object(3)) for kind in cells for _ in range(ROWS_OF_A_CELL)]
            for start in range(0, len(items), 50 * ROWS_OF_A_CELL):
                mode = Setting(*map(generator.random.choice, (MODES, LOCALES, ZONES, NOWS)))
                self.compare(server, cells, items[start:start + 50 * ROWS_OF_A_CELL], mode)

    def refused(self, cells, refusal):
        print(refusal[:3000])
        sys.exit("a cell that the contract accepts is refused")

    def compare(self, server, cells, items, mode):
        got, got_count = server.answers(items, mode)
        wanted, wanted_count = expected(cells, items, mode)
        self.compared += len(items)
        if got is None:
            sys.exit(f"the batch is refused: {got_count}")
        are_equal = True
        for item, one, other in zip(items, got, wanted):
            if not are_same(one, other):
                are_equal = False
                if (id(cells), item[0]) in self.noted:
                    continue
                self.noted.add((id(cells), item[0]))
                self.note(cells, item, mode, (one, other))
        if are_equal and got_count != wanted_count:
            self.explain(server, cells, items, mode, (got_count, wanted_count))

    def explain(self, server, cells, items, mode, counts):
        """Notes the items whose counts differ alone, or the batch, if only its counts differ."""
        found = [item for item in items if server.answers([item], mode)[1] != expected(cells, [item], mode)[1]]
        if not found:
            print(f"\n== count of a batch of {len(items)} rows, {mode}\nprogram  {counts[0]!r}\nmodel    {counts[1]!r}", flush=True)
            self.differences.append("count of a batch")
        for item in found:
            if (id(cells), item[0]) not in self.noted:
                self.noted.add((id(cells), item[0]))
                self.note(cells, item, mode)

    def note(self, cells, item, mode, seen=None):
        # What a round finds counts, however long it takes.
        if self.shows_enough():
            return
        cells, item, mode, found = shrunk(cells, item, mode, lambda *case: differs(self.options.binary, case[0], [case[1]], case[2]))
        if found is None:
            # What depends on the place in the batch, such as `@index`, cannot be made smaller.
            print(f"\n== seen in a batch only, {mode}")
            for kind, cell in list(called(cells, item[0]).items())[:SHOWN_CELLS]:
                print(f"nib      {source(cell, kind)!r}")
            print(f"row      {item[0]} {written(item[1])}")
            if seen:
                print(f"program  {seen[0]!r}\nmodel    {seen[1]!r}", flush=True)
            self.differences.append("batch")
            return
        self.differences.append(found[0])
        print(f"\n== {found[0]}, {mode}")
        for kind, cell in list(cells.items())[:SHOWN_CELLS]:
            print(f"nib      {source(cell, kind)!r}")
        print(f"row      {item[0]} {written(item[1])}\nprogram  {found[1]!r}\nmodel    {found[2]!r}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--count", type=int, default=100_000, help="rows to compare")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="compare no longer")
    arguments.add_argument("--features", default=FEATURES)
    arguments.add_argument("--formats", action="store_true", help="with formats and plurals, too, which need ICU")
    arguments.add_argument("--most", type=int, default=SHOWN, help="differences to show")
    comparison = Comparison(arguments.parse_args())
    comparison.run()
    print(f"{comparison.compared} rows compared in {time.monotonic() - comparison.start:.0f} s, "
          f"{len(comparison.differences)} differences{collections.Counter(comparison.differences) or ''}, "
          f"with {', '.join(sorted(comparison.features))}")
    sys.exit(1 if comparison.differences or not comparison.compared else 0)


if __name__ == "__main__":
    main()
