#!/usr/bin/env python3
"""Measures how a thousand slow clients of each kind affect others, and whether everything they held is released.

Healthy clients post ten rows of news, first alone and then next to slow clients: those that send their head or body a
byte at a time, those that request much and read almost nothing, and those of slowhttptest. Prints the p99 of the healthy
ones, when the slow ones were cut, and what the server held before, meanwhile and after. Status 1 if the p99 is more than
1.5 times its value without slow clients, if a slow connection was not cut within a second of its deadline, or if memory
or files were not released.

The deadlines are shortened so that this takes a minute. Loopback only, bounded in time.
"""

import argparse
import multiprocessing
import os
import pathlib
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from workloads import encoded, news  # noqa: E402 (the line above has to stand before it)

HEAD_SECONDS, BODY_SECONDS, WRITE_SECONDS = 2.0, 3.0, 4.0
GRACE_SECONDS = 1.0
TIMES = 1.5
# On a busy machine a thousandth of a second is nothing.
LEAST_MS = 1.0
MEMORY_TIMES = 1.25
POST = "POST /cells/{} HTTP/1.1\r\nHost: soak\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"


class Kind:
    """One way to be slow: what is sent first, what follows byte by byte, and how long that may last."""

    def __init__(self, name, seconds, start, drip, receive_buffer=None):
        self.name, self.seconds, self.start, self.drip = name, seconds, start, drip
        self.receive_buffer = receive_buffer
        self.pause = 0.004 if receive_buffer else 0


def kinds():
    rows = b"[" + b",".join([b"{}"] * 600) + b"]"
    asked = POST.format("table-row", len(rows)).encode() + rows
    return [
        Kind("head", HEAD_SECONDS, b"POST /cells/news HTTP/1.1\r\nHost: soak\r\nX-Slow: ", b"a"),
        Kind("body", BODY_SECONDS, POST.format("news", 10000).encode() + b"[", b" "),
        Kind("reading", WRITE_SECONDS, asked, None, receive_buffer=4096),
        Kind("pipeline", WRITE_SECONDS, asked * 3, None, receive_buffer=4096),
        Kind("nothing", HEAD_SECONDS, b"", None),
    ]


def run_slow(port, kind, count, cores, results):
    """Opens `count` slow connections and keeps them slow until each is cut. Reports after how many seconds."""
    os.sched_setaffinity(0, cores)
    selector, begun, cut, unread = selectors.DefaultSelector(), {}, [], 0
    for _ in range(count):
        client = socket.socket()
        if kind.receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, kind.receive_buffer)
        client.connect(("127.0.0.1", port))
        client.setblocking(False)
        begun[client] = time.monotonic()
        try:
            client.send(kind.start)
        except BlockingIOError:
            pass
        selector.register(client, selectors.EVENT_READ)
        # All at once they would be an overload, which is another matter.
        time.sleep(kind.pause)
    end = time.monotonic() + kind.seconds + 10
    dripped = time.monotonic()
    while begun and time.monotonic() < end:
        for key, _ in selector.select(0.05):
            client = key.fileobj
            # Who reads slowly looks at one byte of many; an end or a reset is seen by the send below.
            if kind.receive_buffer and is_open(client):
                selector.unregister(client)
                unread += 1
                continue
            try:
                is_cut = not client.recv(1 << 16)
            except ConnectionError:
                is_cut = True
            if is_cut:
                selector.unregister(client)
                cut.append(time.monotonic() - begun.pop(client))
                client.close()
        if time.monotonic() - dripped < (0.2 if kind.drip else 0.05):
            continue
        dripped = time.monotonic()
        for client in list(begun):
            try:
                if kind.receive_buffer:
                    if is_open(client):
                        continue
                    raise ConnectionError
                if kind.drip:
                    client.send(kind.drip)
            except BlockingIOError:
                pass
            except ConnectionError:
                if client in selector.get_map():
                    selector.unregister(client)
                cut.append(time.monotonic() - begun.pop(client))
                client.close()
    results.put((kind.name, sorted(cut), len(begun)))


def is_open(client):
    """Whether the other side has not closed the connection, even if bytes are unread."""
    state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state == 1  # TCP_ESTABLISHED


# As slowhttptest makes them: the deadline, and in how many seconds all are opened.
TOOL_KINDS = [
    ("head", HEAD_SECONDS, 1, "-H -i 1 -t GET -u http://127.0.0.1:{}/livez"),
    ("body", BODY_SECONDS, 1, "-B -i 1 -t POST -s 8192 -x 10 -f application/json -u http://127.0.0.1:{}/cells/news"),
    # In four seconds: so many answers at once would be an overload, which is another matter.
    ("reading", WRITE_SECONDS, 4, "-X -w 512 -y 1024 -n 1 -z 32 -k 1 -u http://127.0.0.1:{}/openapi.json"),
]


class Files(threading.Thread):
    """Records when a process had the most open files, and when it was back to a given number."""

    def __init__(self, pid, few):
        super().__init__(daemon=True)
        self.pid, self.few, self.most, self.most_at, self.few_at, self.ends = pid, few, 0, 0.0, None, False
        self.start()

    def run(self):
        while not self.ends:
            count, now = held(self.pid)[1], time.monotonic()
            if count > self.most:
                self.most, self.most_at, self.few_at = count, now, None
            elif count <= self.few and self.few_at is None:
                self.few_at = now
            time.sleep(0.05)


def beside_tool(kind, server, port, body, options, others, alone):
    """Runs healthy clients beside slowhttptest. Returns the problems."""
    name, seconds, ramp, words = kind
    before = held(server.pid)
    tool = subprocess.Popen(
        # It shares its processor with the healthy clients, who are not to wait for that.
        ["nice", "-n", "19", "slowhttptest", "-c", str(options.count), "-r", str(options.count // ramp), "-l", "15", "-p", "3",
         *words.format(port).split()],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, others))
    # A healthy client has a connection of its own, and for a moment two.
    files, refused = Files(server.pid, before[1] + 2), []
    try:
        beside = run_healthy(port, body, max(options.seconds, seconds + ramp + 3), options.rate, refused)
    finally:
        files.ends = True
        files.join()
        tool.kill()
        tool.wait()
    lasted = files.few_at - files.most_at if files.few_at else float("inf")
    after = held(server.pid)
    print(
        f"{files.most - before[1]} of slowhttptest slow by {name}: {lasted:.2f} s from the last one's beginning to its end, "
        f"deadline {seconds:.0f} s; healthy p99 {p99(beside):.2f} ms, alone {alone:.2f} ms, {len(refused)} of {len(beside)} "
        f"refused; files {before[1]}, {files.most}, then {after[1]}", flush=True)
    misses = []
    if files.most < before[1] + options.count * 0.9:
        misses.append(f"slowhttptest, {name}: too few connections")
    if lasted > seconds + GRACE_SECONDS:
        misses.append(f"slowhttptest, {name}: not cut in time")
    if p99(beside) > max(TIMES * alone, alone + LEAST_MS):
        misses.append(f"slowhttptest, {name}: healthy clients wait {p99(beside) / alone:.1f} times as long")
    return misses


def run_healthy(port, body, seconds, each_second, refused):
    """Posts requests, one behind another, on connections kept and new by turns. Returns latencies in ms, sorted; notes in
    `refused` when one was answered with 503."""
    wire = POST.format("news", len(body)).encode() + body
    times, start, client = [], time.monotonic(), None
    while (now := time.monotonic()) < start + seconds:
        if client is None or len(times) % 10 == 0:
            if client:
                client.close()
            client = socket.create_connection(("127.0.0.1", port), timeout=30)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.sendall(wire)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += receive(client)
        head, _, rest = answer.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
        while len(rest) < length:
            rest += receive(client)
        if head.startswith(b"HTTP/1.1 503"):
            refused.append(now)
        elif not head.startswith(b"HTTP/1.1 200"):
            sys.exit(f"a healthy client was answered {head.split(b' ')[1].decode()}")
        times.append(1000 * (time.monotonic() - now))
        time.sleep(max(0, start + len(times) / each_second - time.monotonic()))
    return sorted(times)


def receive(client):
    piece = client.recv(1 << 16)
    if not piece:
        sys.exit("a healthy client was cut")
    return piece


def p99(times):
    return times[min(int(len(times) * 0.99), len(times) - 1)]


def held(pid):
    """Returns resident memory in KiB, and the number of open files."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.M).group(1)), len(os.listdir(f"/proc/{pid}/fd"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--count", type=int, default=1000, help="slow connections of each kind")
    arguments.add_argument("--rate", type=float, default=500, help="healthy requests a second, at most")
    arguments.add_argument("--seconds", type=float, default=8, help="of healthy requests, alone and beside each kind")
    options = arguments.parse_args()

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    cores = sorted(os.sched_getaffinity(0))
    own, others = {cores[0]}, set(cores[1:]) or {cores[0]}
    server = subprocess.Popen(
        [options.binary, "serve", "--templates", str(ROOT / "templates"), "--workers", "1", "--port", "0",
         "--connections", "16384", "--head-seconds", str(HEAD_SECONDS), "--body-seconds", str(BODY_SECONDS),
         # Nobody is refused: what is asked for slowly is to be begun, and overload is another matter.
         "--write-seconds", str(WRITE_SECONDS), "--queue-seconds", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, own))
    misses = []
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[-1])
        os.sched_setaffinity(0, others)
        body = encoded(news(10))
        # Of all kinds together: the p99 of some seconds is another each time.
        all_alone = []
        # Once before, so that memory that is kept for later is not taken for lost.
        for warming in (True, False):
            for kind in kinds():
                if not warming:
                    all_alone += run_healthy(port, body, options.seconds, options.rate, [])
                    alone = p99(sorted(all_alone))
                    before = held(server.pid)
                results = multiprocessing.Queue()
                slow = multiprocessing.Process(
                    target=run_slow, args=(port, kind, options.count, others, results), daemon=True)
                slow.start()
                if warming:
                    results.get(timeout=60)
                    slow.join()
                    continue
                time.sleep(0.3)
                during, beside, refused = held(server.pid), [], []
                end = time.monotonic() + options.seconds
                while time.monotonic() < end:
                    beside += run_healthy(port, body, 0.5, options.rate, refused)
                    during = max(during, held(server.pid))
                _, cut, left = results.get(timeout=60)
                slow.join()
                time.sleep(1)
                after = held(server.pid)
                worst = cut[-1] if cut else float("inf")
                print(
                    f"{options.count} slow by {kind.name}: cut after {cut[0] if cut else 0:.2f} to {worst:.2f} s, deadline "
                    f"{kind.seconds:.0f} s, {left} not; healthy p99 {p99(sorted(beside)):.2f} ms, alone {alone:.2f} ms, {len(refused)} of {len(beside)} refused; resident "
                    f"{before[0]:,} KiB, {during[0]:,}, then {after[0]:,}; files {before[1]}, {during[1]}, then {after[1]}",
                    flush=True)
                if left or worst > kind.seconds + GRACE_SECONDS:
                    misses.append(f"slow by {kind.name}: not cut in time")
                if p99(sorted(beside)) > max(TIMES * alone, alone + LEAST_MS):
                    misses.append(f"slow by {kind.name}: healthy clients wait {p99(sorted(beside)) / alone:.1f} times as long")
                if len(refused) > len(beside) / 1000:
                    misses.append(f"slow by {kind.name}: healthy clients are refused")
                if after[0] > before[0] * MEMORY_TIMES or after[1] > before[1] + 2:
                    misses.append(f"slow by {kind.name}: not all was given back")
        for kind in TOOL_KINDS:
            all_alone += run_healthy(port, body, options.seconds, options.rate, [])
            misses += beside_tool(kind, server, port, body, options, others, p99(sorted(all_alone)))
    finally:
        server.send_signal(signal.SIGTERM)
        ended = server.wait(timeout=30)
    if ended != 0:
        misses.append(f"the server ended with status {ended}")
    if misses:
        sys.exit("; ".join(misses))


if __name__ == "__main__":
    main()
