#!/usr/bin/env python3
"""Uses the Python client with a live factory, and with ones that fail or lie; builds its packages, and lets mypy judge it."""

import argparse
import asyncio
import contextlib
import datetime
import decimal
import difflib
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CLIENT = ROOT / "clients/python"
sys.path[:0] = [str(HERE), str(HERE.parent), str(CLIENT / "src")]

import connections  # noqa: E402
import liars  # noqa: E402
from application import application  # noqa: E402
from cellfactory import AsyncCellFactory, Cell, CellFactory, Item, Refused, Unavailable  # noqa: E402
from cellfactory._protocol import Answer, Kept, Request  # noqa: E402

ROWS = [{"id": n, "title": f"Row {n} & more\u2028"} for n in range(1200)]


def expect(condition, *words):
    if not condition:
        raise SystemExit("client: FAILED, " + " ".join(map(str, words)))


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise SystemExit(f"client: FAILED, no {kind}")


def run_sync(server):
    url = server.url + "/factory"
    with CellFactory(url) as factory:
        cells = factory.render("line", ROWS[:3])
        expect(len(cells) == 3 and str(cells).count("<article>") == 3 and "Row 2 &amp; more" in cells[2].html, str(cells))
        expect([cell.id for cell in cells] == [0, 1, 2] and cells.__html__() == str(cells) and not cells[0].unchanged)
        # Etags are kept and used again: cells that are unchanged are not sent, and are there all the same.
        server.forget()
        again = factory.render("line", [*ROWS[:2], {"id": 2, "title": "New"}])
        expect([cell.unchanged for cell in again] == [True, True, False] and again[0].html == cells[0].html and "New" in again[2].html)
        expect(server.asked("/factory/cells")[0][3] < 400, "it is sent again")
        # Digits, dates, an owner.
        values = [{"title": decimal.Decimal("79.80")}, {"title": datetime.date(2025, 11, 21)}, {"title": "\0005\0"}]
        shown = [cell.html for cell in factory.render("line", values, owner={"user": "Ada"})]
        expect("79.80" in shown[0] and "2025-11-21" in shown[1], shown)
        # Texts that look like digits taken out of their strings stay texts.
        texts = ["\x001e\x00", "\x0012\x00", "\x00", "12", '"', "\\u000012"]
        shown = [cell.html for cell in factory.render("line", [{"title": text, text: 1} for text in texts])]
        expect(len(shown) == len(texts) and "12" in shown[3] and "\ufffd" in shown[0], shown)
        raises(ValueError, lambda: factory.render("line", [{"title": decimal.Decimal("NaN")}]))
        raises(TypeError, lambda: factory.render("line", [{"title": object()}]))
        # Many kinds; bad rows.
        items = [Item("line", {"title": "x"}), Item("strict", {}, id="s"), Item("nothing")]
        refused = raises(Refused, lambda: factory.render_items(items))
        expect(refused.status == 422 and [error.pointer for error in refused.errors] == ["/rows/1/data/needed", "/rows/2/kind"], refused.errors)
        mixed = factory.render_items(items, on_error="skip")
        expect([cell.error is None for cell in mixed] == [True, False, False] and len(mixed.errors) == 2 and mixed[1].id == "s", list(mixed))
        expect(len(factory.render("line", [])) == 0)
        run_text_cells(factory)
        run_bad_rows(factory)
        run_surrogates(factory)
        # A stream takes its rows as it goes.
        taken = []
        stream = factory.stream("line", (taken.append(row) or row for row in ROWS), batch=100)
        first = next(stream)
        expect(first.index == 0 and len(taken) == 100, len(taken))
        rest = list(stream)
        expect([cell.index for cell in rest] == list(range(1, 1200)) and "Row 1199" in rest[-1].html, len(rest))
        expect({kind["kind"] for kind in factory.kinds()} >= {"line", "order"})


def run_text_cells(factory):
    """What is not escaped is no part of a page, whichever kinds the data name."""
    script = "<script>alert(1)</script>"
    for cells in (factory.render_items([Item(kind, {"title": script}) for kind in ("line", "plain")]), factory.render("plain", [{"title": script}])):
        for written in (f"{cells}", cells.__html__(), *map(str, cells), *(cell.__html__() for cell in cells)):
            expect("<script>" not in written and written.count("<article>") <= 1, written)
        expect(cells.text.strip() == cells[-1].text.strip() == script, repr(cells.text))


def run_bad_rows(factory):
    """What is wrong with a row of a stream is told with its place in the stream, whichever batch it came in."""
    for bad, place in (({}, "/data/needed"), ([1], "/data"), ({"needed": "\ud800"}, "")):
        rows = [{"needed": "x"}] * 7 + [bad] + [{"needed": "x"}] * 4
        for batch in (1, 5, 7, 100):
            skipped = [cell for cell in factory.stream("strict", rows, on_error="skip", batch=batch) if cell.error]
            expect([cell.index for cell in skipped] == [7] and skipped[0].error.errors[0].pointer == f"/rows/7{place}", batch, skipped)
        if place:
            refused = raises(Refused, lambda: list(factory.stream("strict", rows, batch=5)))
            expect([error.pointer for error in refused.errors] == [f"/rows/7{place}"] and f"(/rows/7{place})" in str(refused), refused)


def run_options(server):
    """What a request says besides its rows."""
    url = server.url + "/factory"
    with CellFactory(url) as factory:
        shown = {missing: factory.render("line", [{}], missing=missing)[0].html for missing in (None, "drop", "keep", "blank")}
        expect("Title" in shown["keep"] and "<b></b>" in shown["blank"] and shown[None] == shown["drop"] == "<article></article>", shown)
        expect(raises(Refused, lambda: factory.render("line", [{}], missing="error")).errors[0].pointer == "/rows/0/data/title")
        raises(Refused, lambda: list(factory.stream("line", [{}], missing="error")))
        items = [Item(nib="classes"), Item(css_class="SecondCell"), Item(nib="classes", css_class="SecondCell"), Item("second-class", nib="classes")]
        kinds = [cell.kind for cell in factory.render_items(items)]
        expect(kinds == ["first-class", "second-class", "second-class", "second-class"], kinds)
        # Without a number of its own, a stream takes as many rows as fit into a small request.
        taken = []
        next(factory.stream("line", (taken.append(row) or row for row in ROWS)))
        expect(len(taken) == 500, len(taken))
    waits = ["3600"]

    def disturb(handler):
        return bool(waits) and (handler.send("{}", "application/problem+json", 503, Retry_After=waits.pop()) or True)

    server.disturbances["/factory/cells"] = disturb
    with CellFactory(url, longest_wait=0.5) as factory:
        begin = time.monotonic()
        factory.render("line", ROWS[:1])
        expect(0.4 < time.monotonic() - begin < 30 and not waits, "it waits for", time.monotonic() - begin)
    server.disturbances.clear()


# Half a surrogate pair in a value, a name and an id; a pair in two halves, and texts that only look like one half.
UNREADABLE = [{"title": "\ud800"}, {"title": "\udc00\ud800"}, {"title": "\ud800\\udc00"}, {"\udfff": 1}, {"id": "\udbff", "title": "x"}]
READABLE = [{"title": "\ud83d\ude00"}, {"title": "\U0001f600"}, {"title": "\\ud800"}, {"title": "\\\\ud800"}, {"title": '"\\udfff'}]


def run_surrogates(factory):
    """A row that is no text in Unicode is bad by itself, if bad rows are skipped."""
    rows = [row for pair in zip(UNREADABLE, READABLE) for row in pair]
    for cells in (factory.render("line", rows, on_error="skip"), list(factory.stream("line", rows, on_error="skip", batch=3))):
        expect([cell.error is None for cell in cells] == [False, True] * 5 and [cell.index for cell in cells] == list(range(10)), cells)
        expect("\U0001f600" in cells[1].html and "\U0001f600" in cells[3].html and "<article>" in cells[9].html, cells)
        expect(cells[0].kind == "line" and cells[8].id == "\udbff" and not cells[8].html, cells)
        expect("surrogate" in str(cells[0].error) and cells[0].error.errors[0].pointer == "/rows/0", cells[0])
    error = raises(Refused, lambda: factory.render("line", rows))
    expect(error.status == 400 and "surrogate" in str(error), error)
    raises(Refused, lambda: factory.render("line", READABLE, owner={"user": "\ud800"}, on_error="skip"))


async def run_async(server):
    async with AsyncCellFactory(server.url + "/factory") as factory:
        one, two = await asyncio.gather(factory.render("line", ROWS[:2]), factory.render("note", ROWS[2:4]))
        expect(len(one) == 2 and len(two) == 2)
        expect((await factory.render("line", ROWS[:2]))[1].unchanged)
        expect([cell.index async for cell in factory.stream("line", ROWS, batch=500)] == list(range(1200)))
        try:
            await factory.render("nothing", [{}])
            expect(False, "no Refused")
        except Refused as refused:
            expect(refused.errors[0].pointer == "/rows/0/kind", refused.errors)
        expect([cell.error is None for cell in await factory.render("line", [{"title": "\ud800"}, ROWS[0]], on_error="skip")] == [False, True])
        expect(len(await factory.kinds()) > 3)


def drip(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    with contextlib.suppress(OSError):
        for _ in range(100):
            handler.wfile.write(b" ")
            time.sleep(0.1)
    handler.close_connection = True
    return True


def cut_lines():
    """Cutting an answer into lines takes time in proportion to its bytes, however long the lines are."""
    def seconds(megabytes):
        answer = Answer(Request([Item("line")], None, "fail", None, Kept(0, 0)), 1 << 30)
        pieces = [b'{"index":0,"html":"', *[b"x" * 65536] * (megabytes * 16), b'"}\n']
        begin = time.process_time()
        cells = [cell for piece in pieces for cell in answer.feed(piece)]
        expect(len(cells) == 1 and len(cells[0].html) == megabytes << 20, len(cells))
        return time.process_time() - begin
    seconds(4)
    # The best of some: fresh memory can take the system longer than the cutting takes.
    short, long = (min(seconds(megabytes) for _ in range(4)) for megabytes in (16, 64))
    expect(long < 8 * short + 0.1, f"a longer line takes too long: {long:.3f} s, and {short:.3f} s a quarter of it")


def keep_few():
    """Cells are kept up to a number, and up to a number of bytes; those used last stay."""
    kept = Kept(3, 100_000)
    def has():
        return [n for n in range(9) if kept._cells.get(("line", str(n)))]
    for n in range(4):
        kept.put(Cell(0, "line", n, "e", "x" * 1000), n)
    kept.get("line", 1)
    kept.put(Cell(0, "line", 4, "e", "x" * 1000), 4)
    expect(has() == [1, 3, 4], has())
    kept.put(Cell(0, "line", 1, "e", "x" * 98_000), 1)
    expect(has() == [1, 4], has())
    kept.put(Cell(0, "line", 1, "e", "x" * 500), 1)
    kept.put(Cell(0, "line", 5, "e", "x" * 90_000), 5)
    expect(has() == [1, 4, 5], has())
    kept.put(Cell(0, "line", 6, "e", "", "x" * 100_001), 6)
    expect(has() == [] and kept._bytes == 0, has(), kept._bytes)


def run_failures(server):
    url = server.url + "/factory"
    answers = []

    def disturb(handler):
        if not answers:
            return False
        status, body, headers = answers.pop(0)
        return handler.send(body, "application/problem+json" if status > 299 else "application/x-ndjson", status, **headers) or True

    server.disturbances["/factory/cells"] = disturb
    busy = (503, '{"detail":"busy"}', {"Retry_After": "1"})
    fallback = lambda kind, rows, error: [f"<p>{kind} {row['title']} {error}</p>" for row in rows]
    with CellFactory(url) as factory:
        answers[:] = [busy]
        begin = time.monotonic()
        expect("Row 0" in str(factory.render("line", ROWS[:1])) and 0.9 < time.monotonic() - begin < 5, "503 is not tried again")
        answers[:] = [busy] * 3
        error = raises(Unavailable, lambda: factory.render("line", ROWS[:1]))
        expect(str(error) == "busy" and error.retry_after == 1 and not answers, error)
        answers[:] = [(503, "", {})]
        raises(Unavailable, lambda: factory.render("line", ROWS[:1]))
        lines = [
            "<html>", '{"index":0}\n{"index":9}', "[]", '{"index":0,"html":"a"}', '{"error":{"status":500,"title":"x"}}', "[" * 100_000,
            b"\xff\xfe", '{"index":0,"html":7}\n{"index":1,"html":7}', '{"index":1,"html":"a"}\n{"index":0,"html":"b"}',
            '{"index":0,"html":"a"}\n{"index":0,"html":"b"}', '{"index":-2,"html":"a"}\n{"index":-1,"html":"b"}',
            '{"index":false,"html":"a"}\n{"index":true,"html":"b"}', '{"index":0,"unchanged":true}\n{"index":1,"unchanged":true}',
            '{"index":0,"html":"a"}\n{"index":1,"html":"b"}\n{"index":2,"html":"c"}', '{"error":"x"}', '{"index":0,"html":"a","etag":7}']
        for body in lines:
            answers[:] = [(200, body, {})]
            raises((Unavailable, Refused), lambda: factory.render("line", [{"title": 1}, {"title": 2}]))
            answers[:] = [(200, body, {})]
            raises((Unavailable, Refused), lambda: list(factory.stream("line", [{"title": 1}, {"title": 2}])))
        for body in ('{"error":"x"}', "[" * 100_000, b"\xff", '{"detail":7,"errors":7,"errorCount":"x","type":[]}'):
            answers[:] = [(422, body, {})]
            expect(raises(Refused, lambda: factory.render("line", ROWS[:1])).error_count == 0, body)
            answers[:] = [(503, body, {"Content_Encoding": "gzip"})]
            raises(Unavailable, lambda: factory.render("line", ROWS[:1]))
        for body in ("<html>", "{}", "[]", '{"kinds":7}', '{"kinds":[7]}', "[" * 100_000):
            server.disturbances["/factory/kinds"] = lambda handler: handler.send(body) or True
            raises(Unavailable, factory.kinds)
        answers[:] = [(500, "oops", {})]
        cells = factory.render("line", ROWS[:2], fallback=fallback)
        expect(all(cell.fallback for cell in cells) and str(cells).startswith("<p>line Row 0"), str(cells))
        for wrong in ("<p>away</p>", ["<p>away</p>"], []):
            answers[:] = [(500, "oops", {})]
            raises(TypeError, lambda: factory.render("line", ROWS[:2], fallback=lambda *_: wrong))
        answers[:] = [(422, '{"type":"urn:x","detail":"bad","errors":[7,{"pointer":"/a"}]}', {})]
        expect(raises(Refused, lambda: factory.render("line", ROWS[:1], fallback=fallback)).errors[0].pointer == "/a", "a bad row falls back")
    server.disturbances.clear()
    # A server that sends a byte now and then does not hold a request for longer than its time.
    server.disturbances["/factory/cells"] = drip
    with CellFactory(url, timeout=0.5) as hurried:
        begin = time.monotonic()
        raises(Unavailable, lambda: hurried.render("line", ROWS[:1]))
        expect(time.monotonic() - begin < 3, "a slow answer took", time.monotonic() - begin)
    server.disturbances.clear()
    with CellFactory("http://127.0.0.1:9", fallback=fallback) as away:
        expect("cannot be reached" in str(away.render("line", ROWS[:1])))
        raises(Unavailable, lambda: list(away.stream("line", ROWS[:1])))
    with CellFactory(url, keep=2) as few:
        few.render("line", ROWS[:5])
        expect([cell.unchanged for cell in few.render("line", ROWS[3:5])] == [True, True])
        expect([cell.unchanged for cell in few.render("line", ROWS[:2])] == [False, False])


# What the client that does not wait writes otherwise, and how the one that waits writes it.
WAITING = {
    "await ": "", "async ": "", "AsyncCellFactory": "CellFactory", "httpx.Async": "httpx.", "AsyncIterator": "Iterator", "AsyncTransport": "Transport",
    "aiter_bytes": "iter_bytes", "aiter_raw": "iter_raw", "aclose": "close", "__aenter__": "__enter__", "__aexit__": "__exit__", "asyncio.sleep": "time.sleep",
}


def are_alike():
    """The client that waits is the other one without `async` and `await`, from the first documented option on."""
    sources = CLIENT / "src/cellfactory"
    other, waiting = [(sources / name).read_text().split("- `timeout`", 1)[1] for name in ("_async.py", "_factory.py")]
    for word, replacement in WAITING.items():
        other = other.replace(word, replacement)
    expect(other == waiting, *difflib.unified_diff(other.splitlines(), waiting.splitlines(), "_async.py", "_factory.py", lineterm="", n=0))


def build():
    """The wheel and the source archive build, without asking for anything, and hold what they should."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, str(CLIENT)], check=True, capture_output=True, timeout=120)
        built = sorted(path.name for path in pathlib.Path(folder).iterdir())
        expect(len(built) == 2 and built[0].endswith(".whl") and built[1].endswith(".tar.gz"), built)
        names = zipfile.ZipFile(pathlib.Path(folder, built[0])).namelist()
        expect("cellfactory/py.typed" in names and "cellfactory/_factory.py" in names, names)
    subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null", str(CLIENT / "src/cellfactory")], check=True, timeout=120)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    are_alike()
    with application(options.binary) as server:
        run_sync(server)
        run_options(server)
        asyncio.run(run_async(server))
        cut_lines()
        keep_few()
        run_failures(server)
        connections.run(server.factory.url)
        ended = subprocess.run([sys.executable, HERE / "cut.py", server.factory.url], timeout=300)
        expect(ended.returncode == 0, "calls that are cut, and forks")
    liars.run()
    build()
    print("client: rows, streams, etags, failures, bounds and packages are right")


if __name__ == "__main__":
    main()
