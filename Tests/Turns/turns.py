#!/usr/bin/env python3
"""Measures how long requests made for it keep a worker's loop busy without a pause, in processor time.

  python3 Tests/Turns/turns.py --binary .build/release/cellfactory [--megabytes 15] [--limit 5] [--only WORD]

One worker answers each request of `shapes.py` alone, in a server of its own, some of them with gzip; then a burst of new
connections, and crowds of clients that send, close or miss a deadline at once. Status 1 if the longest stretch of one takes more than `--limit`
milliseconds in all of some tries but one, or if an answer is not the expected one. `stretches.c` measures it. Loopback only.
"""

import argparse
import contextlib
import http.client
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from servers import Server  # noqa: E402 (the lines above have to come first)
from shapes import CROWDS, LATE, REFUSED, TEMPLATES, compressed_shapes, shapes  # noqa: E402

TRIES = 4
# So many of them must be within the limit: one may be by luck.
GOOD_TRIES = 2
SECONDS = 120
BURST = 250
CROWD = 1000
LATE_CROWD = 2000
DEADLINES = ("--head-seconds", "1", "--body-seconds", "1", "--idle-seconds", "1")


def post(server, body, headers=()):
    """Sends a request and reads its answer to the end. Returns its status."""
    client = http.client.HTTPConnection(server.host, server.port, timeout=SECONDS)
    client.request("POST", body.path, body.content, {"Content-Type": body.type, **dict(headers)})
    answer = client.getresponse()
    while answer.read(1 << 20):
        pass
    client.close()
    return answer.status


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
    """Opens connections at once, each with a request, and reads the answers. Returns how many there were."""
    return ask_all(server, connected(server, BURST), b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")


def crowd(server, request):
    """Sends a request on each of many open connections at once, while the server is stopped, and reads the answers. Returns
    how many there were; without a request, closes the connections."""
    clients = connected(server, CROWD)
    # The last one is answered, so all are open.
    ask_all(server, clients, b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    server.process.send_signal(signal.SIGSTOP)
    for client in clients:
        if request:
            client.sendall(request)
        else:
            client.close()
    server.process.send_signal(signal.SIGCONT)
    if request:
        return ask_all(server, clients, b"", is_last=True)
    return ask_all(server, connected(server, 1), b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", is_last=True)


def late_crowd(server, piece):
    """Asks once on each of many connections, sends a piece of the next request, and waits until the server has ended them all. Returns
    how many had an answer."""
    clients = connected(server, LATE_CROWD)
    count = ask_all(server, clients, b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    for client in clients:
        client.sendall(piece)
    for client in clients:
        # A body that does not come may have an answer first.
        with contextlib.suppress(ConnectionError):
            while client.recv(4096):
                pass
        client.close()
    return count


def idle_crowd(server, _):
    """Leaves many connections open, which a stopping server ends. Returns how many there are."""
    server.clients = connected(server, LATE_CROWD)
    return ask_all(server, server.clients, b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")


def ask_all(server, clients, request, is_last=False):
    """Sends a request on each connection and reads an answer. Returns how many there were."""
    count = 0
    for client in clients:
        if request:
            client.sendall(request)
    for client in clients:
        with contextlib.suppress(ConnectionError):
            count += client.recv(4096).startswith(b"HTTP/1.1 ")
        if is_last:
            client.close()
    return count


def expected(body):
    """The status of the answer. Another one would measure something else."""
    return next((status for status, names in REFUSED.items() if body.name in names), 200)


def measure(command, library, send, body, limit):
    """The longest stretch in milliseconds, of the second-best try, and what the request was answered."""
    stretches, status = [], None
    with tempfile.NamedTemporaryFile() as file:
        while len(stretches) < TRIES and sum(stretch <= limit for stretch in stretches) < GOOD_TRIES:
            file.seek(0)
            file.write(bytes(8))
            file.flush()
            with Server("turns", command, 0, {"LD_PRELOAD": str(library), "STRETCHES": file.name}) as server:
                status = send(server, body)
            file.seek(0)
            stretches.append(int.from_bytes(file.read(8), sys.byteorder) / 1e6)
    return sorted(stretches)[GOOD_TRIES - 1], status


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", type=pathlib.Path, required=True)
    arguments.add_argument("--megabytes", type=float, default=15)
    arguments.add_argument("--limit", type=float, default=5, help="milliseconds")
    arguments.add_argument("--only", default="", help="a word in the names of the requests to send")
    options = arguments.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    long, wrong = [], []
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
        command = [options.binary.resolve(), "serve", "--templates", templates, "--port", "0", "--workers", "1",
                   "--log-level", "error"]
        size = int(options.megabytes * 1e6)
        requests = [(body.name, post, body, (), expected(body)) for body in shapes(size)]
        for level in (1, 6, 9):
            settings = ("--compression", "on", "--compression-level", str(level))
            requests += [(f"{body.name}, level {level}", post_for_gzip, body, settings, expected(body)) for body in compressed_shapes(size // 8)]
        requests.append((f"{BURST} new connections", burst, None, (), BURST))
        requests += [(f"{CROWD} at once: {name}", crowd, request, (), CROWD if request else 1) for name, request in CROWDS.items()]
        requests += [(f"{LATE_CROWD} miss a deadline: {name}", late_crowd, piece, DEADLINES, LATE_CROWD) for name, piece in LATE.items()]
        requests.append((f"{LATE_CROWD} idle at a stop", idle_crowd, None, (), LATE_CROWD))
        start = time.monotonic()
        for name, send, body, settings, wanted in requests:
            if options.only not in name:
                continue
            milliseconds, status = measure([*command, *settings], library, send, body, options.limit)
            print(f"{milliseconds:7.2f} ms  {status}  {name}", flush=True)
            if milliseconds > options.limit:
                long.append(name)
            if status != wanted:
                wrong.append(f"{name}: {wanted} was expected")
    print(f"turns: {len(long)} of the requests keep the loop for more than {options.limit} ms ({', '.join(long) or 'none'}); {time.monotonic() - start:.0f} s")
    for fault in wrong:
        print(f"turns: another answer: {fault}")
    sys.exit(1 if long or wrong else 0)


if __name__ == "__main__":
    main()
