#!/usr/bin/env python3
"""Checks that a rolling restart, or a killed replica, costs no request: two replicas behind HAProxy, under load, with the
configuration of `deploy/`.

1. Retries off: each replica in turn is stopped with SIGTERM and started again, twenty times in total. Through HAProxy no
   request may fail: no answer other than 200, no wrong answer, no connection that ends without one.
2. Retries on: replicas are killed (SIGKILL) and started again. No request may fail.
3. Retries off: the same; the number of failed requests is printed.

Clients keep their connections, and send GET requests and bodies of several sizes, up to about 58 kB: a request can be
retried only if it fits into one of HAProxy's buffers. Prints figures; status 1 if a request failed in 1 or 2. Loopback
only. Needs HAProxy and python3.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from workloads import encoded, news, products, table, tiny  # noqa: E402 (the line above has to stand before it)

CONFIGURATION = ROOT / "deploy/haproxy/haproxy.cfg"


def configuration(options, control, retries):
    """Returns the configuration of `deploy/` with an admin socket, and without retries if wanted."""
    text = pathlib.Path(options.configuration).read_text()
    text = text.replace("\nglobal\n", f"\nglobal\n  stats socket {control} mode 600\n", 1)
    if not retries:
        text = re.sub(r"^ +(retry-on|option redispatch)\b.*\n", "", text, flags=re.M)
        text, count = re.subn(r"^( +)retries .*$", r"\1retries 0", text, flags=re.M)
        assert count == 1, "the configuration says nothing of retries"
    return text


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Replica:
    def __init__(self, options, port, log):
        self.options, self.port, self.log = options, port, log
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.options.binary, "serve", "--templates", str(ROOT / "templates"), "--port", str(self.port),
             "--workers", "1", "--drain-seconds", "10", "--drain-delay-seconds", str(self.options.delay)],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        if "listening" not in self.process.stdout.readline():
            sys.exit("a replica does not start")

    def end(self, number):
        begin = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(timeout=60)
        return status, time.monotonic() - begin


class Balancer:
    def __init__(self, options, folder, ports, retries):
        self.port = ports[0]
        self.socket = f"{folder}/haproxy.{retries}.sock"
        file = pathlib.Path(folder, f"haproxy.{retries}.cfg")
        file.write_text(configuration(options, self.socket, retries))
        names = dict(zip(("PROXY_BIND", "CELLS_1", "CELLS_2"), (f"127.0.0.1:{port}" for port in ports)))
        self.process = subprocess.Popen(
            [options.haproxy, "-db", "-f", str(file)], env=os.environ | names, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def ask(self, command):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.socket)
            client.sendall(command.encode() + b"\n")
            answer = b""
            while piece := client.recv(1 << 16):
                answer += piece
        return answer.decode()

    def rows(self):
        lines = self.ask("show stat").splitlines()
        names = lines[0].lstrip("# ").split(",")
        return {row["svname"]: row for row in (dict(zip(names, line.split(","))) for line in lines[1:])
                if row.get("svname", "").startswith("cells-")}

    def await_state(self, name, state):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with contextlib.suppress(OSError, IndexError):
                if self.rows()[name]["status"].startswith(state):
                    return
            time.sleep(0.02)
        sys.exit(f"HAProxy does not see {name} {state}")

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def requests():
    """Returns method, target and body of each request."""
    return [
        ("POST", "/cells/notification", encoded(tiny())), ("POST", "/cells/news", encoded(news(10))),
        ("POST", "/cells/product", encoded(products(100))), ("POST", "/cells/table-row", encoded(table(400))),
        ("GET", "/cells/news?title=Hi", None),
        ("POST", "/cells?format=json", json.dumps([
            {"kind": "notification", "id": place, "data": {"text": str(place)}} for place in range(200)]).encode()),
    ]


def run_client(port, number, expected, rate, stop, results):
    """Sends one request after another, at most `rate` a second, on a kept connection."""
    made = requests()
    connection, count, faults, times = None, 0, [], []
    begin = time.monotonic()
    while not stop.is_set():
        place = (count + number) % len(made)
        method, target, body = made[place]
        count += 1
        start = time.monotonic()
        try:
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
            response = connection.getresponse()
            text = response.read()
            if response.status != 200:
                faults.append(f"{response.status} {method} {target}")
            elif text != expected[place]:
                faults.append(f"another answer to {method} {target}: {len(text)} bytes of {len(expected[place])}")
            if response.will_close:
                connection = None
        except (OSError, http.client.HTTPException) as error:
            faults.append(f"{type(error).__name__} {method} {target}")
            connection = None
        times.append(time.monotonic() - start)
        time.sleep(max(0, begin + count / rate - time.monotonic()))
    results.put((count, faults, times))


class Load:
    def __init__(self, options, port, expected):
        self.stop, self.results = multiprocessing.Event(), multiprocessing.Queue()
        self.begin = time.monotonic()
        self.clients = [
            multiprocessing.Process(
                target=run_client,
                args=(port, number, expected, options.rate / options.clients, self.stop, self.results), daemon=True)
            for number in range(options.clients)]
        for client in self.clients:
            client.start()

    def end(self):
        """Ends the clients. Prints and returns the number of requests and of failures."""
        self.stop.set()
        outcomes = [self.results.get(timeout=60) for _ in self.clients]
        seconds = time.monotonic() - self.begin
        count = sum(count for count, _, _ in outcomes)
        faults = [fault for _, found, _ in outcomes for fault in found]
        times = sorted(value for _, _, values in outcomes for value in values)
        print(f"  requests: {count:,} in {seconds:.0f} s, p50 {1000 * times[len(times) // 2]:.1f} ms, "
              f"p99 {1000 * times[int(len(times) * 0.99)]:.1f} ms, the longest {1000 * times[-1]:.0f} ms; "
              f"failed: {len(faults)}")
        for fault in sorted(set(faults)):
            print(f"  {faults.count(fault)} times {fault}")
        return count, len(faults)


def answers(port):
    """Returns the expected answers, from a replica itself."""
    connection, found = http.client.HTTPConnection("127.0.0.1", port, timeout=30), []
    for method, target, body in requests():
        connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
        found.append(connection.getresponse().read())
    return found


def restart(options, balancer, replicas, times):
    taken = []
    for turn in range(times):
        name = f"cells-{turn % 2 + 1}"
        status, seconds = replicas[name].end(signal.SIGTERM)
        if status != 0:
            sys.exit(f"replica {name} ended with status {status}")
        taken.append(seconds)
        replicas[name].start()
        balancer.await_state(name, "UP")
        time.sleep(options.pause)
    if taken:
        print(f"  restarts: {len(taken)}; from SIGTERM to the end {min(taken):.1f} to {max(taken):.1f} s")


def kill(options, balancer, replicas, times):
    for turn in range(times):
        name = f"cells-{turn % 2 + 1}"
        replicas[name].end(signal.SIGKILL)
        balancer.await_state(name, "DOWN")
        replicas[name].start()
        balancer.await_state(name, "UP")
        time.sleep(options.pause)
    print(f"  kills: {times}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--haproxy", default=shutil.which("haproxy", path="/usr/sbin:/usr/bin:/sbin:/bin"))
    arguments.add_argument("--restarts", type=int, default=20)
    arguments.add_argument("--kills", type=int, default=6)
    arguments.add_argument("--configuration", default=str(CONFIGURATION), help="of HAProxy")
    arguments.add_argument("--delay", type=float, default=2, help="--drain-delay-seconds of the replicas")
    arguments.add_argument("--clients", type=int, default=16)
    arguments.add_argument("--rate", type=float, default=600, help="requests a second, of all clients")
    arguments.add_argument("--pause", type=float, default=1, help="seconds between restarts")
    options = arguments.parse_args()
    if not options.haproxy:
        sys.exit("haproxy is missing")

    failed = 0
    parts = [
        ("restarts, retries off", False, restart, options.restarts, True),
        ("kills, retries on", True, kill, options.kills, True),
        ("kills, retries off", False, kill, options.kills, False),
    ]
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w") as log:
        for title, retries, work, times, counts in parts:
            if times == 0:
                continue
            print(f"{title}:", flush=True)
            ports = free_ports(3)
            replicas = {name: Replica(options, port, log) for name, port in zip(("cells-1", "cells-2"), ports[1:])}
            balancer = None
            try:
                for replica in replicas.values():
                    replica.start()
                expected = answers(ports[1])
                balancer = Balancer(options, folder, ports, retries)
                for name in replicas:
                    balancer.await_state(name, "UP")
                load = Load(options, ports[0], expected)
                time.sleep(options.pause)
                work(options, balancer, replicas, times)
                count, faults = load.end()
                rows = balancer.rows()
                print("  HAProxy: " + ", ".join(
                    f"{field} {sum(int(rows[name][field] or 0) for name in replicas)}"
                    for field in ("wretr", "wredis", "econ", "eresp")))
                if counts:
                    failed += faults
                else:
                    print(f"  without retries {faults / times:.1f} of {count / times:.0f} requests fail with each kill")
            finally:
                if balancer:
                    balancer.end()
                for replica in replicas.values():
                    if replica.process and replica.process.poll() is None:
                        replica.end(signal.SIGTERM)
    if failed:
        sys.exit(f"{failed} requests failed that should not have")


if __name__ == "__main__":
    main()
