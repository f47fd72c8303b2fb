#!/usr/bin/env python3
"""Measures how long requests made for it keep a worker's loop busy without a pause, in processor time.

  python3 Tests/Turns/turns.py --binary .build/release/cellfactory [--megabytes 15] [--limit 5] [--only WORD]

One worker answers each request of `shapes.py` alone, in a server of its own, some of them with gzip; then a burst of new
connections, and crowds of clients that send, close or miss a deadline at once. If the longest stretch of the first try is not within
half of `--limit` milliseconds, the median of five tries must be within it. Status 1 if one is not, or if the answers are not the
expected ones. Large texts are mostly a matter of memory that is used for the first time: on a machine that needs longer for it than those
for which the limits were chosen, they are longer in proportion, at most twice. Most crowds are sent twice: to a server with the default settings, which may refuse with 503 what waits too long,
and to one that answers all. `stretches.c` measures it. Loopback only.
"""

import argparse
import collections
import contextlib
import dataclasses
import http.client
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from servers import Server  # noqa: E402 (the lines above have to come first)
from shapes import CROWDS, LATE, REFUSED, TEMPLATES, compressed_shapes, shapes  # noqa: E402

# The memory that `slowness` fills, and what the machines need for it for which the limits were chosen.
FRESH_BYTES, FRESH_MILLISECONDS = 64 << 20, 16
# So many of five tries decide. The first does alone, if it is within half of the limit.
MOST_TRIES = 3
SECONDS = 120
BURST = 250
CROWD = 1000
LATE_CROWD = 2000
LARGE_CROWD = 3000
STUBBORN_CROWD = 32
# How many requests one connection sends at once, and the most seconds in which another client is answered beside a crowd of these.
PIPELINED = 300
LONGEST_WAIT = 4
# With these, a server answers a whole crowd, however late.
PATIENT = ("--queue-seconds", "0", "--in-flight-requests", str(LARGE_CROWD))
NO_ANSWER = "no answer"
PROBE = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
CELL = b"POST /cells/plain HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n" b'{"a":"b"}'
METRICS = PROBE.replace(b"/livez", b"/metrics")
MANY_NAMES = PROBE.replace(b"/livez", b"/cells/news?unknown=error&" + b"&".join(b"a%d" % number for number in range(4000)))
DOCUMENT = "/kinds/thousands"
RELOADS = 3
ROUNDS = 10
DEADLINES = ("--head-seconds", "1", "--body-seconds", "1", "--idle-seconds", "1")


@dataclasses.dataclass(frozen=True)
class Case:
    """Requests to measure, and how they must be answered: `count` times with `status`, or some of them with `or_else`. Other answers
    would measure something else."""

    name: str
    # Sends them to a server. Returns the answers, counted by their statuses.
    send: Callable
    body: Any
    status: str
    count: int = 1
    or_else: str = ""
    settings: tuple = ()

    def is_right(self, answers):
        some = answers[self.status]
        return some > 0 and some + answers[self.or_else] == sum(answers.values()) == self.count


class Archives:
    """The archive that servers read, and another one that takes its place and gives it back; their hashes in this order."""

    def __init__(self, binary, templates, folder):
        self.served, self.other, self.between = (pathlib.Path(folder, name) for name in ("cells.archive", "other.archive", "between"))
        self.hashes = [compiled(binary, templates, self.served)]
        (templates / "added.mustache").write_text("{{added}}")
        self.hashes.append(compiled(binary, templates, self.other))

    def swap(self):
        self.served.rename(self.between)
        self.other.rename(self.served)
        self.between.rename(self.other)
        self.hashes.reverse()


def compiled(binary, templates, archive):
    """Writes an archive. Returns its hash."""
    said = subprocess.run([binary, "archive", templates, "--output", archive], check=True, capture_output=True, text=True).stdout
    return re.search(r"archive ([0-9a-f]{32})", said)[1]


def post(server, body, headers=()):
    """Sends a request and reads its answer to the end. One that ends early is counted as cut."""
    client = http.client.HTTPConnection(server.host, server.port, timeout=SECONDS)
    client.request("POST", body.path, body.content, {"Content-Type": body.type, **dict(headers)})
    answer = client.getresponse()
    while answer.read(1 << 20):
        pass
    client.close()
    # What is left of the length that the head said.
    return collections.Counter([f"{answer.status}, cut" if answer.length else str(answer.status)])


def post_for_gzip(server, body):
    return post(server, body, {"Accept-Encoding": "gzip"})


def connected(server, count):
    """Opens connections at once, without waiting for them."""
    clients = [socket.socket() for _ in range(count)]
    for client in clients:
        client.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            client.connect((server.host, server.port))
        client.settimeout(SECONDS)
    return clients


def burst(server, _):
    """Opens connections at once, each with a request, and reads the answers."""
    return ask_all(connected(server, BURST), b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")


def crowd(server, sent):
    """Sends a request on each of many open connections at once, while the server is stopped, and reads the answers."""
    clients = opened(server, CROWD)
    with stopped(server):
        for client in clients:
            client.sendall(sent.request)
    return ask_all(clients, b"", sent.words, is_last=True)


def reloading_crowd(server, archives):
    """Asks for cells and for a long document again and again, while the server adopts another archive a few times."""
    answers = collections.Counter()
    for _ in range(RELOADS):
        archives.swap()
        server.process.send_signal(signal.SIGHUP)
        for _ in range(ROUNDS):
            answers += ask_all(connected(server, BURST), CELL, is_last=True)
            answers += ask_all(connected(server, BURST), f"GET {DOCUMENT} HTTP/1.1\r\nHost: a\r\n\r\n".encode(), is_last=True)
        answers += adopted(server, archives.hashes[0])
    return answers


def adopted(server, archive):
    """The answer to a request, asked again until it is of an archive."""
    end = time.monotonic() + LONGEST_WAIT
    while True:
        answer = ask_all(connected(server, 1), CELL, f"CellFactory-Archive: {archive}\r\n".encode(), is_last=True)
        if answer["200"] or time.monotonic() > end:
            return answer


def unread_crowd(server, path):
    """Asks for a long document on many connections, and reads nothing of it for a second."""
    clients = [socket.socket() for _ in range(CROWD)]
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(SECONDS)
        client.connect((server.host, server.port))
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    time.sleep(1)
    return ask_all(clients, b"", is_last=True)


def gone_crowd(server, request):
    """Sends a request on each of very many connections, closes them all when some have their answer, and asks once more."""
    clients = opened(server, LARGE_CROWD)
    for client in clients:
        client.sendall(request)
    time.sleep(0.5)
    for client in clients:
        client.close()
    # A sweep finds those that are gone after a second.
    time.sleep(2)
    return ask_all(connected(server, 1), PROBE, is_last=True)


def pipelining_crowd(server, _):
    """Pipelines many probes after a row on each of very many connections. Returns the answer to another client that asks meanwhile."""
    clients = opened(server, LARGE_CROWD)
    for client in clients:
        client.sendall(CELL + PIPELINED * PROBE)
    begin = time.monotonic()
    answers = ask_all(connected(server, 1), METRICS, is_last=True)
    if time.monotonic() - begin > LONGEST_WAIT:
        answers["late"] += 1
    return answers


def closing_crowd(server, _):
    """Closes many open connections at once, while the server is stopped. Returns the answer to one more client."""
    clients = opened(server, CROWD)
    with stopped(server):
        for client in clients:
            client.close()
    return ask_all(connected(server, 1), PROBE, is_last=True)


def late_crowd(server, piece):
    """Asks once on each of many connections, sends a piece of the next request, and waits until the server has ended them all."""
    clients = opened(server, LATE_CROWD)
    for client in clients:
        client.sendall(piece)
    return ask_all(clients, b"", is_last=True)


def idle_crowd(server, _):
    """Leaves many connections open, which a stopping server ends."""
    server.clients = connected(server, LATE_CROWD)
    return ask_all(server.clients, PROBE)


def waiting_crowd(server, _):
    """Sends requests on many connections before the server accepts them, tells it to stop, and reads the answers."""
    ask_all(connected(server, 1), PROBE, is_last=True)
    with stopped(server):
        clients = connected(server, CROWD)
        for client in clients:
            client.sendall(PROBE)
        server.process.send_signal(signal.SIGTERM)
    answers = ask_all(clients, b"", is_last=True)
    # A second SIGTERM would cut the stop short.
    server.process.wait(SECONDS)
    return answers


def stubborn_crowd(server, _):
    """Announces bodies that are refused, and goes on sending them for a second. Returns the answers, which were sent meanwhile."""
    clients = connected(server, STUBBORN_CROWD)
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
        client.sendall(b"POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n")
        client.setblocking(False)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        for client in clients:
            with contextlib.suppress(BlockingIOError, ConnectionError):
                client.send(bytes(1 << 20))
    for client in clients:
        client.settimeout(SECONDS)
    return ask_all(clients, b"", is_last=True)


def opened(server, count):
    """Connections that the server has answered once, so that all are open."""
    clients = connected(server, count)
    answers = ask_all(clients, PROBE)
    if answers["200"] != count:
        raise SystemExit(f"turns: not all connections could be opened: {told(answers)}")
    return clients


@contextlib.contextmanager
def stopped(server):
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def ask_all(clients, request, words=b"", is_last=False):
    """Sends a request on each connection and reads the answers. Those without the words are counted apart, but for 503."""
    answers = collections.Counter()
    for client in clients:
        if request:
            client.sendall(request)
    for client in clients:
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = client.recv(4096)
        status = answer[9:12].decode(errors="replace") or NO_ANSWER
        answers[status if words in answer or status == "503" else f"{status} for another reason"] += 1
        if is_last:
            client.close()
    return answers


def told(answers):
    return ", ".join(status if count == 1 else f"{count} x {status}" for status, count in sorted(answers.items()))


def expected(body):
    """The status of the answer. Another one would measure something else."""
    return str(next((status for status, names in REFUSED.items() if body.name in names), 200))


def cases(size, archives):
    """Everything to measure, with bodies of about a number of bytes."""
    yield from (Case(body.name, post, body, expected(body)) for body in shapes(size))
    for level in (1, 6, 9):
        settings = ("--compression", "on", "--compression-level", str(level))
        for body in compressed_shapes(size // 8):
            yield Case(f"{body.name}, level {level}", post_for_gzip, body, expected(body), settings=settings)
    yield Case(f"{BURST} new connections", burst, None, "200", BURST)
    for sent in CROWDS:
        status, late = str(sent.status), "503" if sent.may_be_late else ""
        yield Case(f"{CROWD} at once: {sent.name}", crowd, sent, status, CROWD, late)
        if sent.may_be_late:
            yield Case(f"{CROWD} at once, however late: {sent.name}", crowd, sent, status, CROWD, settings=PATIENT)
    yield Case(f"{CROWD} do not read a document", unread_crowd, DOCUMENT, "200", CROWD, "503")
    yield Case(f"{CROWD} do not read a document, however late", unread_crowd, DOCUMENT, "200", CROWD, settings=PATIENT)
    yield Case(f"{LARGE_CROWD} at once are gone", gone_crowd, MANY_NAMES, "200", settings=PATIENT)
    yield Case(f"{LARGE_CROWD} at once with {PIPELINED} probes each", pipelining_crowd, None, "200")
    reloading = RELOADS * (ROUNDS * 2 * BURST + 1)
    yield Case(f"{BURST} beside reloads", reloading_crowd, archives, "200", reloading, "503")
    yield Case(f"{BURST} beside reloads, however late", reloading_crowd, archives, "200", reloading, settings=PATIENT)
    yield Case(f"{CROWD} at once: the end of the connection", closing_crowd, None, "200")
    for name, piece in LATE.items():
        yield Case(f"{LATE_CROWD} miss a deadline: {name}", late_crowd, piece, NO_ANSWER, LATE_CROWD, settings=DEADLINES)
    yield Case(f"{LATE_CROWD} idle at a stop", idle_crowd, None, "200", LATE_CROWD)
    yield Case(f"{CROWD} not accepted at a stop", waiting_crowd, None, "200", CROWD)
    yield Case(f"{STUBBORN_CROWD} go on sending after a refusal", stubborn_crowd, None, "413", STUBBORN_CROWD)


def slowness():
    """How much longer the machine needs for fresh memory, in processor time, than those for which limits are chosen: 1 to 2."""
    best = FRESH_MILLISECONDS * 2
    for _ in range(9):
        start = time.process_time()
        bytearray(FRESH_BYTES)
        best = min(best, (time.process_time() - start) * 1000)
    return max(1, best / FRESH_MILLISECONDS)


def measure(command, library, case, limit):
    """The longest stretch of each try in milliseconds, and the answers: of a try in which they were wrong, if there is one."""
    stretches, answers = [], None

    def is_decided():
        within = sum(stretch <= limit for stretch in stretches)
        return stretches[0] <= limit / 2 if len(stretches) == 1 else MOST_TRIES in (within, len(stretches) - within)

    with tempfile.NamedTemporaryFile() as file:
        while not is_decided():
            file.seek(0)
            file.write(bytes(8))
            file.flush()
            with Server("turns", [*command, *case.settings], 0, {"LD_PRELOAD": str(library), "STRETCHES": file.name}) as server:
                last = case.send(server, case.body)
            if server.process.returncode:
                last[f"an end with status {server.process.returncode}"] += 1
            if answers is None or case.is_right(answers):
                answers = last
            file.seek(0)
            stretches.append(int.from_bytes(file.read(8), sys.byteorder) / 1e6)
    return stretches, answers


def median(stretches):
    """The stretch that decides: that of the only try, or the median of five, of which those that are left out change nothing."""
    return sorted(stretches)[:MOST_TRIES][-1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", type=pathlib.Path, required=True)
    arguments.add_argument("--megabytes", type=float, default=15)
    arguments.add_argument("--limit", type=float, default=5, help="milliseconds")
    arguments.add_argument("--only", default="", help="a word in the names of the requests to send")
    options = arguments.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    long, wrong, measured = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        templates = pathlib.Path(folder, "templates")
        templates.mkdir()
        for name, text in TEMPLATES.items():
            (templates / name).write_text(text)
        for source in (ROOT / "templates").rglob("*"):
            target = templates / source.relative_to(ROOT / "templates")
            if source.is_dir():
                target.mkdir(exist_ok=True)
            else:
                target.write_bytes(source.read_bytes())
        library = pathlib.Path(folder, "stretches.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, HERE / "stretches.c", "-ldl"], check=True)
        # Compiled once for all servers.
        binary = options.binary.resolve()
        archives = Archives(binary, templates, folder)
        command = [binary, "serve", "--archive", archives.served, "--port", "0", "--workers", "1", "--log-level", "error"]
        start = time.monotonic()
        limit = options.limit * slowness()
        print(f"turns: at most {limit:.1f} ms on this machine", flush=True)
        for case in cases(int(options.megabytes * 1e6), archives):
            if options.only not in case.name:
                continue
            measured += 1
            stretches, answers = measure(command, library, case, limit)
            milliseconds = median(stretches)
            worst = f"  (of {len(stretches)} tries; the worst {max(stretches):.2f})" if len(stretches) > 1 else ""
            print(f"{milliseconds:7.2f} ms  {told(answers)}  {case.name}{worst}", flush=True)
            if milliseconds > limit:
                long.append(case.name)
            if min(stretches) == 0:
                wrong.append(f"{case.name}: no turn was measured")
            if not case.is_right(answers):
                wrong.append(f"{case.name}: {told(answers)}, but {case.status} was expected")
    if not measured:
        sys.exit(f"turns: no request has {options.only!r} in its name")
    print(f"turns: {len(long)} of the requests keep the loop for more than {limit:.1f} ms ({', '.join(long) or 'none'}); {time.monotonic() - start:.0f} s")
    for fault in wrong:
        print(f"turns: other answers: {fault}")
    sys.exit(1 if long or wrong else 0)


if __name__ == "__main__":
    main()
