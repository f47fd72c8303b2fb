#!/usr/bin/env python3
"""Checks that the server stays within the memory documented in docs/operations.md, for any requests.

  python3 Tests/Memory/limit.py --binary CELLFACTORY [--seconds 12] [--workers 2] [--in-flight-limit-bytes 134217728]

Many clients send the bodies that take the most memory, all at once: some large, some chunked, some abandoned half-way,
some with answers that are read slowly. The server runs in a control group limited to the documented formula, so that the
kernel would kill it beyond, or with a limit of its data where no group can be made. Status 1 if it was killed, if an unexpected
answer came, if more than a few requests got none or not all of one, if resident memory exceeded the formula, or if memory is not
released afterwards. Loopback only, bounded in count and time.
"""

import argparse
import collections
import http.client
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

import bodies
import limited

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MIB = 1 << 20
# As docs/operations.md says under "Memory": beside what is in flight.
PROCESS_BYTES = 32 * MIB
WORKER_BYTES = 32 * MIB
CONNECTION_BYTES = 47_000
# What stays when nothing is in flight any more, beside what the process, its workers and its connections may have.
IDLE_BYTES = 0
# 413: it can never fit; 422: the answer would be too large; 503: there is no room now.
EXPECTED = {200, 400, 413, 422, 503}
# Of all requests that are not given up, those that may get no answer, or not all of it: the connection of a refused body may be
# reset, and a streamed answer be broken off, where there is no room.
MOST_UNANSWERED = 0.05
# The names of bodies that are not JSON.
MALFORMED = {"unfinished"}


def allowed_bytes(workers, in_flight, connections):
    return PROCESS_BYTES + workers * (WORKER_BYTES + in_flight) + connections * CONNECTION_BYTES


class Clients:
    """Threads that send requests until they are stopped."""

    def __init__(self, address, mix, count):
        self.address, self.mix = address, mix
        self.answers = collections.Counter()
        self.unanswered = 0
        # The names of bodies that were answered with 200.
        self.accepted = set()
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(n,), daemon=True) for n in range(count)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(timeout=60)

    def note(self, key, is_answered=True):
        with self.lock:
            self.answers[key] += 1
            self.unanswered += not is_answered

    def run(self, number):
        chosen = random.Random(number)
        while not self.over.is_set():
            try:
                body = chosen.choice(self.mix)
                status = self.ask(chosen, body, slow=number % 3 == 0)
                self.note(status)
                if status == 200:
                    self.accepted.add(body.name)
            except (OSError, http.client.HTTPException) as error:
                self.note(type(error).__name__, is_answered=False)

    def ask(self, chosen, body, slow):
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        try:
            connection.connect()
            if slow:
                connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 << 10)
            chunked = chosen.random() < 0.3
            given_up = chosen.random() < 0.1
            connection.putrequest("POST", body.path)
            connection.putheader("Content-Type", body.type)
            if chunked:
                connection.putheader("Transfer-Encoding", "chunked")
            else:
                connection.putheader("Content-Length", str(len(body.content)))
            connection.endheaders()
            end = len(body.content) // 2 if given_up else len(body.content)
            for place in range(0, end, 1 << 20):
                piece = body.content[place:min(place + (1 << 20), end)]
                connection.sock.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            if given_up:
                return "given up"
            if chunked:
                connection.sock.sendall(b"0\r\n\r\n")
            answer = connection.getresponse()
            while answer.read(64 << 10):
                if slow and not self.over.is_set():
                    time.sleep(0.02)
                    if chosen.random() < 0.01:
                        return f"{answer.status}, not read"
            # What is left of the length that the head said.
            if answer.length:
                raise http.client.IncompleteRead(b"", answer.length)
            return answer.status
        finally:
            connection.close()


def health(address):
    connection = http.client.HTTPConnection(*address, timeout=60)
    connection.request("GET", "/readyz")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", required=True, help="cellfactory, built as a release")
    arguments.add_argument("--seconds", type=float, default=12)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--clients", type=int, default=100)
    arguments.add_argument("--in-flight-limit-bytes", type=int, default=128 * MIB)
    arguments.add_argument("--body-limit-bytes", type=int, default=16 * MIB)
    arguments.add_argument("--limit-bytes", type=int, help="of the group; what the formula says if it is not given")
    arguments.add_argument("--limit-data", action="store_true", help="by a limit of data, as where no group can be made")
    arguments.add_argument("--only", help="bodies of this name alone")
    arguments.add_argument("--each", action="store_true", help="each kind of body alone, one after another")
    arguments.add_argument("--measure", action="store_true", help="say what was seen, and fail only for a kill")
    options = arguments.parse_args()
    names = dict.fromkeys(body.name for body in bodies.bodies(1 << 10))
    faults = []
    for name in names if options.each else [options.only]:
        if name:
            print(f"{name}:")
        faults += measure(options, name)
    if faults and not options.measure:
        sys.exit("\n".join(faults))
    print("\n".join(faults))


def measure(options, name):
    """Runs the server, and sends all bodies or those of one name. Returns the problems."""
    allowed = allowed_bytes(options.workers, options.in_flight_limit_bytes, options.clients)
    mix = [body for body in bodies.mix(options.body_limit_bytes) if name in (None, body.name)]
    faults = []
    with limited.group(options.limit_bytes or allowed, options.limit_data) as group:
        server = subprocess.Popen(
            [options.binary, "serve", "--templates", ROOT / "templates", "--workers", str(options.workers), "--port", "0",
             "--in-flight-limit-bytes", str(options.in_flight_limit_bytes), "--log-level", "error",
             "--body-limit-bytes", str(options.body_limit_bytes)],
            stdout=subprocess.PIPE, text=True, preexec_fn=group.join)
        try:
            url = urllib.parse.urlsplit(server.stdout.readline().removeprefix("listening on ").strip())
            address = (url.hostname, url.port)
            start = limited.status_bytes(server.pid, "VmRSS")
            with Clients(address, mix, options.clients) as clients:
                deadline = time.monotonic() + options.seconds
                while time.monotonic() < deadline and server.poll() is None:
                    time.sleep(0.1)
            if server.poll() is None and health(address) == 200:
                peak = limited.status_bytes(server.pid, "VmHWM")
                # The memory is given back soon after the last answer.
                deadline = time.monotonic() + 10
                idle_allowed = allowed_bytes(options.workers, IDLE_BYTES, options.clients)
                while (idle := limited.status_bytes(server.pid, "VmRSS")) > idle_allowed and time.monotonic() < deadline:
                    time.sleep(0.1)
                print(f"memory: {options.workers} workers of {options.in_flight_limit_bytes / MIB:.0f} MiB, "
                      f"{options.clients} clients: {start / MIB:.0f} MiB at the start, peak {peak / MIB:.0f} of "
                      f"{allowed / MIB:.0f} allowed, {idle / MIB:.0f} of {idle_allowed / MIB:.0f} when idle "
                      f"({group.form})")
                if peak > allowed:
                    faults.append("resident memory passed what docs/operations.md allows")
                if idle > idle_allowed:
                    faults.append("memory is not given back")
            elif server.poll() is None:
                faults.append("the server is not ready afterwards")
        finally:
            server.send_signal(signal.SIGTERM)
            ended = server.wait(timeout=60)
        if ended != 0:
            faults.append(f"the server ended with status {ended}")
        if group.kills():
            faults.append("the kernel ended the server: it took more than its limit")
        print("answers: " + ", ".join(f"{key} {count}" for key, count in sorted(clients.answers.items(), key=str)))
    unexpected = {key for key in clients.answers if isinstance(key, int)} - EXPECTED
    if unexpected:
        faults.append(f"answers of status {sorted(unexpected)}")
    asked = clients.answers.total() - clients.answers["given up"]
    if clients.unanswered > asked * MOST_UNANSWERED:
        faults.append(f"{clients.unanswered} of {asked} requests got no answer, or not all of it")
    # What is always refused takes no memory, so nothing was measured of it.
    for refused in sorted({body.name for body in mix} - MALFORMED - clients.accepted):
        faults.append(f"no body of these was answered with 200: {refused}")
    return faults


if __name__ == "__main__":
    main()
