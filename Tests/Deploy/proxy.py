#!/usr/bin/env python3
"""Checks that deploy/haproxy/haproxy.cfg meets the requirements of docs/operations.md: two replicas behind HAProxy.

Requests that libmicrohttpd lets through when a replica is asked directly arrive normalized, or not at all; identifiers
and paths pass; endpoints internal to a replica do not; a replica that is killed or stops costs no request. Prints
errors; status 1 if there are any. Takes some seconds, on loopback. Skipped if HAProxy is not installed.
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
import tempfile
import threading
import time

import checks
from checks import expect

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BODY = b'{"text":"Hi"}'
JSON = b"Content-Type: application/json\r\n"


def post(length=b"Content-Length: %d" % len(BODY), line=b"POST /cells/notification HTTP/1.1", body=BODY):
    return line + b"\r\nHost: a\r\n" + JSON + length + b"\r\n\r\n" + body


def get(target, header=b"X-A: b", host=b"Host: a"):
    return b"GET %s HTTP/1.1\r\n%s\r\n%s\r\n\r\n" % (target, host, header)


# What a client sends; what a replica makes of it when asked directly, as docs/operations.md says under "Known
# limits", and what becomes of it through the proxy. It is served; or a problem, in our own words; or refused in words
# that are not ours, by the proxy or libmicrohttpd; `split`, with what follows read as another request; or `closed` without
# a word.
CHUNKED = b"Transfer-Encoding: chunked"
CHUNKED_BODY = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
REQUESTS = [
    ("as it should be", post(), "served", "served"),
    ("spaces in the request line", post(line=b"POST  /cells/notification  HTTP/1.1"), "problem", "served"),
    ("a request line of one word", post(line=b"POST"), "closed", "refused"),
    ("a version that is none", post(line=b"POST /cells/notification HTTP/1.10"), "refused", "refused"),
    ("bare LF", post().replace(b"\r", b""), "served", "served"),
    ("NUL at the start of a field", get(b"/kinds", b"\0X: b"), "problem", "refused"),
    ("a field without a name", get(b"/kinds", b": b"), "problem", "refused"),
    ("a colon before a bare LF", get(b"/kinds", b":\nX-A: b"), "split", "refused"),
    ("NUL in a value", get(b"/kinds", b"X-Request-Id: b\0c"), "problem", "refused"),
    # HAProxy joins a folded line to its field.
    ("a folded line", get(b"/kinds", b"X-Request-Id: b\r\n c"), "problem", "served"),
    ("a length made by folding", post(b"Content-Lengt: 1\r\n h"), "problem", "problem"),
    ("chunk extensions", post(CHUNKED, body=b"%x;a=\"b\"\r\n%s\r\n0;c\r\n\r\n" % (len(BODY), BODY)),
     "served", "served"),
    ("controls in a chunk extension", post(CHUNKED, body=b"%x;\1=\"\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)),
     "served", "served"),
    ("Content-Length: +13", post(b"Content-Length: +13"), "problem", "refused"),
    ("Content-Length: -1", post(b"Content-Length: -1"), "problem", "refused"),
    ("Content-Length: 13, 14", post(b"Content-Length: 13, 14"), "problem", "refused"),
    ("Content-Length: 13, 13", post(b"Content-Length: 13, 13"), "problem", "served"),
    ("a space behind Content-Length", post(b"Content-Length: 13 "), "problem", "served"),
    ("a space behind chunked", post(CHUNKED + b" ", body=CHUNKED_BODY), "problem", "served"),
    ("a space behind Host", get(b"/kinds", host=b"Host: a "), "problem", "served"),
    ("a host that is none", get(b"/kinds", host=b"Host: a:b"), "problem", "problem"),
    ("800 &", get(b"/kinds/news?" + b"&" * 800), "served", "served"),
    ("600 fields of a query", get(b"/cells/notification?" + b"&".join(b"a%d=b" % n for n in range(600))), "served", "served"),
    ("560 cookies", get(b"/kinds", b"Cookie: " + b"; ".join(b"a%d=b" % n for n in range(560))), "problem", "problem"),
    ("a trailer", post(CHUNKED, body=CHUNKED_BODY[:-2] + b"X-A: b\r\n\r\n"), "served", "served"),
    ("a trailer that frames", post(CHUNKED, body=CHUNKED_BODY[:-2] + b"Content-Length: 1\r\n\r\n"), "problem", "problem"),
    # One HAProxy refuses it and another passes it on, by chance. A replica reads nothing after a chunked body, so either
    # is safe.
    ("a trailer that begins with a NUL", post(CHUNKED, body=CHUNKED_BODY[:-2] + b"\0X: b\r\n\r\n"), "served",
     "served or refused"),
    ("a request in such a trailer", post(CHUNKED, body=CHUNKED_BODY[:-2] + b"\0X: b\r\nX: c\r\n\r\n"), "served",
     "served or refused"),
    ("a trailer that begins with its colon", post(CHUNKED, body=CHUNKED_BODY[:-2] + b"X: a\r\n: b\r\n\r\n"), "served",
     "refused"),
    ("Content-Length-X", get(b"/kinds", b"Content-Length-X: 1"), "problem", "problem"),
    ("Transfer-Encodings", get(b"/kinds", b"Transfer-Encodings: 1"), "problem", "problem"),
    ("a space before the colon", get(b"/kinds", host=b"Host : a"), "refused", "refused"),
    ("a name that is no token", get(b"/kinds", b"X_A{}: b"), "problem", "refused"),
    ("a slash in a segment", get(b"/cells/shop%2Fprice?price=1"), "served", "served"),
    ("what the replica refuses", get(b"/cells/none"), "problem", "problem"),
]


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


class Recorder:
    """Takes the place of a replica: answers 200 to every request, and keeps the last one as received."""

    def __init__(self):
        self.last = b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            threading.Thread(target=self.answer, args=self.listener.accept()[:1], daemon=True).start()

    def answer(self, connection):
        with connection:
            connection.settimeout(10)
            request = b""
            while not self.is_whole(request) and (block := connection.recv(65536)):
                request += block
            if b"/readyz" not in request:
                self.last = request
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    @staticmethod
    def is_whole(request):
        head, end, body = request.partition(b"\r\n\r\n")
        if b"chunked" in head:
            return body.endswith(b"0\r\n\r\n")
        return bool(end) and (not head.startswith(b"POST") or body.endswith(BODY))


class Proxy:
    """HAProxy with our configuration, in front of two replicas."""

    def __init__(self, haproxy, log, *ports):
        self.port = free_port()
        cells = {f"CELLS_{number}": f"127.0.0.1:{port}" for number, port in enumerate(ports, 1)}
        self.process = subprocess.Popen(
            [haproxy, "-db", "-f", str(ROOT / "deploy/haproxy/haproxy.cfg")], stdout=log, stderr=log,
            env=dict(os.environ, PROXY_BIND=f"127.0.0.1:{self.port}", **cells))

    def __enter__(self):
        expect(wait_until(lambda: listens(self.port)), "haproxy does not listen")
        return self.port

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)


def raw(port, request):
    """Returns the bytes of the answer to a request that asks to close, or is refused."""
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
    """Clients that send requests continuously, each on its own connection. They count answers other than 200."""

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


def outcome(answer):
    """Returns the outcome of a request from its answer's bytes; the first bytes if it is unknown."""
    if not answer:
        return "closed"
    heads, status = answer.count(b"HTTP/1.1 "), answer[9:12]
    if b"application/problem+json" in answer:
        return "problem" if heads == 1 else answer[:200]
    return {(b"200", 1): "served", (b"200", 2): "split", (b"400", 1): "refused"}.get((status, heads), answer[:200])


def check_requests(replica, proxy):
    for name, request, direct, through in REQUESTS:
        for place, port, wanted in (("directly", replica, direct), ("through the proxy", proxy, through)):
            got = outcome(raw(port, request))
            expect(got in wanted.split(" or "), f"{name}, {place}, is", got, "not", wanted)


def check_writing(haproxy, log):
    """Checks that requests are well-formed when they arrive through the proxy."""
    recorder = Recorder()
    with Proxy(haproxy, log, recorder.port, free_port()) as proxy:
        for name, request, _, through in REQUESTS:
            # Trailers pass; the recorder does not wait for them.
            if through != "served" or not request.startswith(b"POST") or "trailer" in name:
                continue
            raw(proxy, request)
            head, _, body = recorder.last.partition(b"\r\n\r\n")
            line, *fields = head.split(b"\r\n")
            expect(line == b"POST /cells/notification HTTP/1.1", name, "arrives with the line", line)
            expect(not re.search(rb"[\r\n\0]", b"".join(fields)), name, "arrives with", fields)
            length = [field.split(b": ")[1] for field in fields if field.lower().startswith(b"content-length:")]
            whole = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY) if CHUNKED.lower() in head.lower() else BODY
            expect(length == ([] if whole != BODY else [b"13"]), name, "arrives with the lengths", length)
            expect(body.lower() == whole.lower(), name, "arrives with the body", body)


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
    """Checks that the proxy waits for the whole body before it connects to a replica, by the time in its log."""
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
    expect(replicas[0].end(signal.SIGTERM) == 0, "the other replica does not end with 0")
    expect(wait_until(lambda: ask(proxy, "/healthz")[0] == 503), "/healthz without a replica")
    return clients.asked


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    haproxy = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if not haproxy:
        return checks.skip("Tests/Deploy/proxy.py", "there is no haproxy")
    replicas = []
    with tempfile.TemporaryFile("w+") as log:
        try:
            check_writing(haproxy, log)
            replicas += [Replica(options.binary, free_port()) for _ in range(2)]
            with Proxy(haproxy, log, *(replica.port for replica in replicas)) as port:
                check_requests(replicas[0].port, port)
                check_what_passes(port)
                check_slow_client(port, log)
                asked = check_failures(options.binary, port, replicas)
        finally:
            for replica in replicas:
                replica.process.kill()
                replica.process.wait()
        if checks.problems:
            print(text_of(log)[-4000:])
    checks.end("proxy", f"{asked:,} requests while one replica was killed and one stopped")


main()
