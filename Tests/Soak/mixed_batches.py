#!/usr/bin/env python3
"""Checks that small requests stay fast next to large ones: on one worker, requests of 100,000 rows, with bodies just under
16 MiB, run back to back while requests of 10 rows arrive one after another.

Prints the number of both, the latency of the small ones (p50, p99, maximum) without and with the large ones, and the
server's peak memory; status 1 if their p99 next to large ones is 30 ms or more. The worker has its own processor, as far
as the machine is idle; the clients use the others. Loopback only, bounded in time.
"""

import argparse
import multiprocessing
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from workloads import encoded, news, table  # noqa: E402 (the lines above have to stand before it)

ROWS = 100_000
BODY_LIMIT = 16 << 20
P99_LIMIT = 0.030


def request(target, body):
    head = f"POST {target} HTTP/1.1\r\nHost: soak\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def large_body():
    """Returns table rows, each with a note that fills the body."""
    rows = table(ROWS)
    spare = BODY_LIMIT - len(encoded(rows)) - 4096
    note = "x" * (spare // ROWS - len(',"note":""'))
    for row in rows:
        row["note"] = note
    body = encoded(rows)
    assert BODY_LIMIT * 0.97 < len(body) < BODY_LIMIT, len(body)
    return body


def connect(port):
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def read_large(client, buffer):
    """Reads an answer to its end, keeping only its head and last bytes. Returns its size."""
    size, tail, length = 0, b"", None
    while size != length and not (length is None and tail.endswith(b"\r\n0\r\n\r\n")):
        count = client.recv_into(buffer)
        if count == 0:
            sys.exit("a large answer was broken off")
        if size == 0:
            head, _, _ = bytes(buffer[:count]).partition(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                sys.exit(head.decode())
            known = re.search(rb"Content-Length: (\d+)", head)
            length = known and len(head) + 4 + int(known.group(1))
        size += count
        tail = (tail + bytes(buffer[max(count - 8, 0):count]))[-8:]
    return size


def run_large(port, target, body, cores, seconds, results):
    """Posts large requests one after another on one connection."""
    os.sched_setaffinity(0, cores)
    client, buffer, wire = connect(port), bytearray(1 << 20), request(target, body)
    end, count, sizes = time.monotonic() + seconds, 0, set()
    while time.monotonic() < end:
        client.sendall(wire)
        sizes.add(read_large(client, buffer) >> 10)
        count += 1
    results.put((count, min(sizes)))


def run_small(port, body, seconds, each_second):
    """Posts small requests one after another, at most `each_second`. Returns the sorted latencies."""
    client, wire = connect(port), request("/cells/news", body)
    times, expected = [], None
    start = time.monotonic()
    while (now := time.monotonic()) < start + seconds:
        client.sendall(wire)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += client.recv(1 << 16)
        head, _, rest = answer.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
        while len(rest) < length:
            rest += client.recv(1 << 16)
        times.append(time.monotonic() - now)
        expected = expected or rest
        if not head.startswith(b"HTTP/1.1 200") or rest != expected:
            sys.exit("a small answer is wrong")
        time.sleep(max(0, start + len(times) / each_second - time.monotonic()))
    return sorted(times)


def told(times):
    milliseconds = [1000 * times[min(int(len(times) * part), len(times) - 1)] for part in (0.5, 0.99, 1)]
    return "p50 {:.2f} ms, p99 {:.2f} ms, worst {:.2f} ms".format(*milliseconds)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--seconds", type=float, default=30)
    arguments.add_argument("--rate", type=float, default=100, help="small requests a second, at most")
    arguments.add_argument("--query", default="", help="of the large requests: format=json, missing=error")
    arguments.add_argument("--large", type=int, default=1, help="connections with large requests")
    options = arguments.parse_args()

    large, small = large_body(), encoded(news(10))
    cores = sorted(os.sched_getaffinity(0))
    own, others = {cores[0]}, set(cores[1:]) or {cores[0]}
    server = subprocess.Popen(
        [options.binary, "serve", "--templates", str(ROOT / "templates"), "--workers", "1", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, own))
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[-1])
        os.sched_setaffinity(0, others)
        alone = run_small(port, small, min(options.seconds, 3), options.rate)
        results = multiprocessing.Queue()
        target = "/cells/table-row" + (f"?{options.query}" if options.query else "")
        clients = [
            multiprocessing.Process(
                target=run_large, args=(port, target, large, others, options.seconds, results), daemon=True)
            for _ in range(options.large)]
        for client in clients:
            client.start()
        time.sleep(1)
        times = run_small(port, small, options.seconds - 1, options.rate)
        done = [results.get(timeout=60) for _ in clients]
        status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    finally:
        server.send_signal(signal.SIGTERM)
        ended = server.wait(timeout=30)
    p99 = times[min(int(len(times) * 0.99), len(times) - 1)]
    count = sum(count for count, _ in done)
    peak = int(re.search(r"VmHWM:\s+(\d+)", status).group(1))
    print(f"large requests: {count}, of {ROWS:,} rows and {len(large):,} bytes; answers of {done[0][1]:,} KiB")
    print(f"small ones alone: {len(alone):,}, {told(alone)}")
    print(f"small ones beside them: {len(times):,}, {told(times)}")
    print(f"the server's peak memory: {peak:,} KiB")
    if ended != 0:
        sys.exit(f"the server ended with status {ended}")
    if count == 0 or p99 >= P99_LIMIT:
        sys.exit(f"the p99 of small requests is {1000 * p99:.1f} ms, and is to be below {1000 * P99_LIMIT:.0f} ms")


if __name__ == "__main__":
    main()
