#!/usr/bin/env python3
"""Whether a rolling restart, and a replica that is killed, cost a request: two replicas behind HAProxy, under load.

1. Retries off: each replica in turn is ended by SIGTERM and started again, twenty times in all. Through HAProxy no
   request may fail: an answer other than 200, a wrong one, or a connection that ends without one.
2. Retries on: replicas are killed (SIGKILL) and started again. No request may fail.
3. Retries off: the same, and how many failed is told.

Clients keep their connections, and post bodies of several sizes, up to some 60 kB, beside GET. Prints figures; status 1
if a request failed in 1 or 2. Loopback only. Needs HAProxy and python3.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import pathlib
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

# What a balancer in front of replicas needs: a check of /readyz that fails sooner than --drain-delay-seconds, and
# connections to the servers that are kept and shared.
CONFIGURATION = """
global
    maxconn 4000
    stats socket {socket} mode 600
    # A request that may have to be sent again is kept in a buffer, so it has to fit into one.
    tune.bufsize {buffer}

defaults
    mode http
    timeout connect 2s
    timeout client 30s
    timeout server 30s
    # Below the replicas' --idle-seconds: HAProxy is the one to end an idle connection.
    timeout http-keep-alive 20s
    timeout queue 5s
    http-reuse {reuse}

frontend cells
    bind 127.0.0.1:{port}
    default_backend replicas

backend replicas
    balance roundrobin
{retries}
    option httpchk GET /readyz
    http-check expect status 200
    default-server check inter {check}ms fall 2 rise 1 pool-max-conn 64
    server a 127.0.0.1:{a}
    server b 127.0.0.1:{b}
"""

WITHOUT_RETRIES = """    retries 0
    no option redispatch"""

# POST is sent again, too: rendering cells changes nothing, so doing it twice does no harm. `disable-l7-retry` would
# except it. With `option http-buffer-request` the whole of a body is there before it is sent for the first time.
WITH_RETRIES = """    retries 3
    option redispatch 1
    option http-buffer-request
    retry-on all-retryable-errors"""


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
        self.port, a, b = ports
        self.socket = f"{folder}/haproxy.{retries}.sock"
        file = pathlib.Path(folder, f"haproxy.{retries}.cfg")
        file.write_text(CONFIGURATION.format(
            port=self.port, a=a, b=b, socket=self.socket, check=options.check, reuse=options.reuse,
            buffer=options.buffer, retries=WITH_RETRIES if retries else WITHOUT_RETRIES))
        self.process = subprocess.Popen([options.haproxy, "-db", "-q", "-f", str(file)])

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
                if row.get("pxname") == "replicas"}

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
    """Method, target and body."""
    return [
        ("POST", "/cells/notification", encoded(tiny())), ("POST", "/cells/news", encoded(news(10))),
        ("POST", "/cells/product", encoded(products(100))), ("POST", "/cells/table-row", encoded(table(400))),
        ("GET", "/cells/news?title=Hi", None),
        ("POST", "/cells?format=json", json.dumps([
            {"kind": "notification", "id": place, "data": {"text": str(place)}} for place in range(200)]).encode()),
    ]


def run_client(port, number, expected, rate, stop, results):
    """Asks one request behind another, at most `rate` a second, on a connection that is kept."""
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
        """Ends it. Returns the number of requests, of failed ones, and tells of both."""
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
    """What is expected, from a replica itself."""
    connection, found = http.client.HTTPConnection("127.0.0.1", port, timeout=30), []
    for method, target, body in requests():
        connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
        found.append(connection.getresponse().read())
    return found


def restart(options, balancer, replicas, times):
    taken = []
    for turn in range(times):
        name = "ab"[turn % 2]
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
        name = "ab"[turn % 2]
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
    arguments.add_argument("--delay", type=float, default=3, help="--drain-delay-seconds of the replicas")
    arguments.add_argument("--check", type=int, default=500, help="milliseconds between health checks; two must fail")
    arguments.add_argument("--reuse", default="always", choices=["never", "safe", "aggressive", "always"])
    arguments.add_argument("--buffer", type=int, default=131072, help="HAProxy's buffers, in bytes")
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
            replicas = {name: Replica(options, port, log) for name, port in zip("ab", ports[1:])}
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
