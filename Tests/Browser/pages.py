"""Serves pages to a browser on loopback, and collects what their scripts report."""

import contextlib
import http.server
import json
import queue
import threading
import typing


class Page(typing.NamedTuple):
    type: str
    body: bytes
    headers: dict = {}


class PageServer(http.server.ThreadingHTTPServer):
    """Serves an origin of its own. `page` returns the Page of a path with its query, or None.

    `reports` holds what pages posted: the path and the JSON value.
    """

    def __init__(self, page):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page, self.reports = page, queue.Queue()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Heads and bodies go out at once.
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def do_GET(self):
        self.answer(self.server.page(self.path))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.reports.put((self.path, json.loads(body or b"null")))
        self.answer(Page("text/plain", b""))

    def answer(self, page):
        self.send_response(200 if page else 404)
        page = page or Page("text/plain", b"")
        self.send_header("Content-Type", page.type)
        self.send_header("Content-Length", str(len(page.body)))
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page.body)

    def handle(self):
        # A page that is left does not wait for its answers.
        with contextlib.suppress(ConnectionError):
            super().handle()

    def log_message(self, *_):
        pass
