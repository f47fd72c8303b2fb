#!/usr/bin/env python3
"""Whether deploy/haproxy/haproxy.cfg is the proxy that the README wants in front: two replicas behind HAProxy.

What libmicrohttpd would let through arrives written anew, or not at all; identifiers and paths pass; what is a
replica's own affair does not; a replica that is killed, or stops, costs no request. Prints what is wrong; status 1 if
anything is. Some seconds, on the loopback. Where there is no HAProxy it says so and passes.
"""

import argparse
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BODY = b'{"text":"Hi"}'
JSON = b"Content-Type: application/json\r\n"


def post(length=b"Content-Length: %d" % len(BODY), line=b"POST /cells/notification HTTP/1.1", body=BODY):
    return line + b"\r\nHost: a\r\n" + JSON + length + b"\r\n\r\n" + body


def get(target, header=b"X-A: b", host=b"Host: a"):
    return b"GET %s HTTP/1.1\r\n%s\r\n%s\r\n\r\n" % (target, host, header)


# What a client sends, and what the proxy makes of it: it is served, refused by the proxy, whose own words are no
# `problem+json`, or refused by a replica. Most is what a replica's handler cannot see, or answers with two heads.
REQUESTS = [
    ("as it should be", post(), "served"),
    ("spaces in the request line", post(line=b"POST  /cells/notification  HTTP/1.1"), "served"),
    ("bare LF", post().replace(b"\r", b""), "served"),
    ("NUL in a value", get(b"/kinds", b"X-A: b\0c"), "refused"),
    ("chunk extensions",
     post(b"Transfer-Encoding: chunked", body=b"%x;a=\"b\"\r\n%s\r\n0;c\r\n\r\n" % (len(BODY), BODY)), "served"),
    ("Content-Length: +13", post(b"Content-Length: +13"), "refused"),
    ("Content-Length: -1", post(b"Content-Length: -1"), "refused"),
    ("Content-Length: 13, 14", post(b"Content-Length: 13, 14"), "refused"),
    ("Content-Length: 13, 13", post(b"Content-Length: 13, 13"), "served"),
    ("a space before the colon", get(b"/kinds", host=b"Host : a"), "refused"),
    ("a name that is no token", get(b"/kinds", b"X_A{}: b"), "refused"),
    ("a slash in a segment", get(b"/cells/shop%2Fprice?price=1"), "served"),
    ("what the replica refuses", get(b"/cells/none"), "problem"),
]

problems = []
checked = 0


def expect(condition, *words):
    global checked
    checked += 1
    if not condition:
        problems.append(" ".join(str(word) for word in words))


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Replica:
    def __init__(self, binary, port):
        self.port = port
        self.process = subprocess.Popen(
            [binary, "serve", "--templates", str(ROOT / "templates"), "--workers", "1", "--port", str(port)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(30)


def raw(port, request):
    """The bytes of the answer: to a request that asks to close, or is refused."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        head, end, body = request.partition(b"\r\n\r\n" if b"\r\n\r\n" in request else b"\n\n")
        connection.sendall(head + (b"\r\n" if b"\r" in end else b"\n") + b"Connection: close" + end + body)
        answer = b""
        while block := connection.recv(65536):
            answer += block
        return answer


def ask(port, target, method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, target, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, answer.headers, text


def listens(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


class Clients:
    """Some that ask again and again, each over one connection while it lasts. They count what is no 200."""

    def __init__(self, port, count=4):
        self.port, self.asked, self.failed, self.going = port, 0, [], True
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        while self.going:
            try:
                connection.request("POST", "/cells/notification", BODY, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    self.failed.append(answer.status)
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(repr(error))
                connection.close()
            self.asked += 1

    def stop(self):
        self.going = False
        for thread in self.threads:
            thread.join()


def check_requests(proxy):
    for name, request, wanted in REQUESTS:
        answer = raw(proxy, request)
        status = answer[9:12]
        ours = b"application/problem+json" in answer
        got = "served" if status == b"200" else "problem" if ours else "refused" if status == b"400" else answer[:200]
        expect(got == wanted and answer.count(b"HTTP/1.1 ") == 1, name, "is", got, "not", wanted)


def check_what_passes(proxy):
    _, headers, _ = ask(proxy, "/kinds", **{"X-Request-Id": "mine-1"})
    expect(headers.get_all("X-Request-Id") == ["mine-1"], "a client's identifier:", headers.get_all("X-Request-Id"))
    made = [ask(proxy, "/kinds")[1].get_all("X-Request-Id") for _ in range(2)]
    expect(made[0] != made[1] and all(len(one) == 1 and len(one[0]) == 36 for one in made), "identifiers:", made)
    for target in ("/livez", "/readyz", "/metrics"):
        status, headers, _ = ask(proxy, target)
        expect(status == 404 and "CellFactory-Archive" not in headers, target, "reaches a replica")
    expect(ask(proxy, "/healthz")[0] == 200, "/healthz")
    rows = b"[" + b",".join([BODY] * 40000) + b"]"
    status, _, text = ask(proxy, "/cells/notification", "POST", rows, **{"Content-Type": "application/json"})
    expect(status == 200 and text.count(b"<li") == 40000, "a large batch:", status, len(text))


def check_slow_client(proxy, log):
    """No replica is asked before the body is there: the proxy's log tells how long it waited for the request."""
    with socket.create_connection(("127.0.0.1", proxy), timeout=10) as slow:
        slow.sendall(post(line=b"POST /cells/notification?format=json HTTP/1.1")[:-8])
        time.sleep(0.3)
        slow.sendall(post()[-8:])
        expect(slow.recv(65536).startswith(b"HTTP/1.1 200"), "a slow client is not served")
    line = re.compile(r"cells/cells-\d (\d+)/.*format=json")
    wait_until(lambda: line.search(text_of(log)))
    expect(int(line.search(text_of(log)).group(1)) >= 250, "a replica waits for a slow client")


def text_of(log):
    with open(f"/proc/self/fd/{log.fileno()}") as again:
        return again.read()


def check_failures(binary, proxy, replicas):
    clients = Clients(proxy)
    time.sleep(0.5)
    expect(replicas[0].end(signal.SIGKILL) == -signal.SIGKILL, "kill")
    time.sleep(1)
    replicas[0] = Replica(binary, replicas[0].port)
    time.sleep(1.5)
    expect(replicas[1].end(signal.SIGTERM) == 0, "a replica does not end with 0")
    time.sleep(0.5)
    clients.stop()
    failed = clients.failed
    expect(not failed, "failed while replicas went:", failed[:5], len(failed), "of", clients.asked)
    expect(clients.asked > 100, "only", clients.asked, "requests")
    expect(ask(proxy, "/healthz")[0] == 200, "/healthz with one replica")
    replicas[0].end(signal.SIGTERM)
    expect(wait_until(lambda: ask(proxy, "/healthz")[0] == 503), "/healthz without a replica")
    return clients.asked


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    haproxy = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if not haproxy:
        print("proxy: SKIPPED, there is no haproxy")
        return
    replicas, port = [], free_port()
    with tempfile.TemporaryFile("w+") as log:
        try:
            replicas += [Replica(options.binary, free_port()) for _ in range(2)]
            proxy = subprocess.Popen(
                [haproxy, "-db", "-f", str(ROOT / "deploy/haproxy/haproxy.cfg")], stdout=log, stderr=log,
                env=dict(os.environ, PROXY_BIND=f"127.0.0.1:{port}", CELLS_1=f"127.0.0.1:{replicas[0].port}",
                         CELLS_2=f"127.0.0.1:{replicas[1].port}"))
            try:
                expect(wait_until(lambda: listens(port)), "haproxy does not listen")
                check_requests(port)
                check_what_passes(port)
                check_slow_client(port, log)
                asked = check_failures(options.binary, port, replicas)
            finally:
                proxy.terminate()
                proxy.wait(10)
        finally:
            for replica in replicas:
                replica.process.kill()
                replica.process.wait()
        if problems:
            print(text_of(log)[-4000:])
    for problem in problems:
        print(problem)
    print(f"proxy: {checked} checks, {len(problems)} failed; "
          f"{asked:,} requests while one replica was killed and one stopped")
    sys.exit(1 if problems else 0)


main()
