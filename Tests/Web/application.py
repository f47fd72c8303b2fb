"""An application for tests: it serves pages and rows, and stands before a factory, so that it sees and can disturb all."""

import contextlib
import http.client
import http.server
import io
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import wave

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from ending import end  # noqa: E402

SECONDS = 30
# What every page of the tests lives under.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types cellfactory tests")
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml"}


def silence(seconds=30, rate=8000):
    """A file of silence."""
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(rate)
        file.writeframes(b"\x80" * (seconds * rate))
    return held.getvalue()


class Factory:
    """A running `cellfactory serve`."""

    def __init__(self, binary, templates, *options):
        self.process = subprocess.Popen(
            [binary, "serve", "--templates", str(templates), "--port", "0", *options], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:(\d+))\n", line)
        if not found:
            self.process.kill()
            raise SystemExit(f"the factory does not start: {line!r}")
        self.url, self.port = found[1], int(found[2])

    def end(self):
        end(self.process, 10)


class Application(http.server.ThreadingHTTPServer):
    """Pages of `pages`, rows of `tables`, and the factory below /factory/. Everything asked for is noted."""

    daemon_threads = True

    def __init__(self, factory):
        super().__init__(("127.0.0.1", 0), Handler)
        self.factory = factory
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.tables = {}
        self.reset()

    def reset(self):
        # (method, path, bytes of the body, bytes of the answer)
        self.requests = []
        # Path prefix to a function of the handler; it answers True if it has sent something.
        self.disturbances = {}
        self.tables.clear()

    def note(self, *request):
        with self.lock:
            self.requests.append(request)

    def asked(self, prefix):
        with self.lock:
            return [request for request in self.requests if request[1].startswith(prefix)]

    def forget(self):
        with self.lock:
            self.requests.clear()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, body, content_type="application/json", status=200, **headers):
        body = body if isinstance(body, bytes) else body.encode()
        self.server.note(self.command, self.path, int(self.headers.get("Content-Length") or 0), len(body))
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if content_type.startswith("text/html"):
            headers.setdefault("Content_Security_Policy", POLICY)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def handle_one_request(self):
        with contextlib.suppress(ConnectionError):
            super().handle_one_request()

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        path, _, query = self.path.partition("?")
        for prefix, disturb in list(self.server.disturbances.items()):
            if self.path.startswith(prefix) and disturb(self):
                return
        if path.startswith("/factory/"):
            return self.relay(self.path[len("/factory"):])
        if path.startswith("/rows/"):
            return self.rows(self.server.tables.get(path[6:], []), dict(urllib.parse.parse_qsl(query)))
        file = HERE / "pages" / path.lstrip("/")
        if file.is_file() and file.resolve().is_relative_to(HERE):
            return self.send(file.read_bytes(), TYPES.get(file.suffix, "text/plain"))
        if path == "/silence.wav":
            return self.send(silence(), "audio/wav")
        if path == "/blank.svg":
            return self.send('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>', "image/svg+xml")
        self.send("{}", status=404)

    do_GET = do_POST = answer

    def rows(self, table, query):
        start = int(query.get("from", 0))
        chosen = [table(index) for index in range(start, min(start + int(query["count"]), table.count))] if callable(table) else (
            table[start:start + int(query.get("count", len(table)))])
        total = table.count if callable(table) else len(table)
        self.send(json.dumps(chosen if query.get("plain") else {"rows": chosen, "total": total}))

    def relay(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.factory.port, timeout=SECONDS)
        try:
            connection.request(self.command, path, self.body or None, {"Content-Type": self.headers.get("Content-Type", "text/plain")})
            answer = connection.getresponse()
            self.send(answer.read(), answer.headers["Content-Type"], answer.status)
        finally:
            connection.close()


@contextlib.contextmanager
def application(binary, templates=HERE / "templates", *options):
    factory = Factory(binary, templates, *options)
    server = Application(factory)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        factory.end()
