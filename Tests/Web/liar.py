"""A server that does what it likes, for tests of clients."""

import contextlib
import json
import socket
import threading
import time

# Servers stop after it, so that a client that waits for them fails instead of hanging.
LONGEST = 5
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Liar:
    """A server that does `work` with each connection once it has the head of a request, and notes what it was asked."""

    def __init__(self, work, reads_head=True):
        self.work, self.reads_head = work, reads_head
        self.heads, self.closed = [], threading.Event()
        # When the first connection was made.
        self.began = None
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            connection.settimeout(LONGEST)
            self.began = self.began or time.monotonic()
            if self.reads_head:
                self.read_head(connection)
            self.work(self, connection)
        self.closed.set()

    def read_head(self, connection):
        received = b""
        while b"\r\n\r\n" not in received:
            piece = connection.recv(65536)
            if not piece:
                raise OSError("closed")
            received += piece
        head, _, body = received.partition(b"\r\n\r\n")
        self.heads.append(head)
        length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        while len(body) < length:
            body += connection.recv(65536)
        return body

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def dripping(start, *drops):
    """Sends a start, and then a drop now and then."""
    def work(server, connection):
        connection.sendall(start)
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            for drop in drops:
                time.sleep(0.05)
                connection.sendall(drop)
    return work


def sending(data):
    return lambda server, connection: connection.sendall(data)


def flooding(start, piece):
    def work(server, connection):
        connection.sendall(start)
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            connection.sendall(piece)
    return work


def slurping(server, connection):
    """Reads some of the request now and then."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and connection.recv(65536):
        time.sleep(0.01)


def line(index, html="x"):
    return json.dumps({"index": index, "html": html}).encode() + b"\n"


LINES_OF_BOTH = line(0) + line(1)


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def answer(body, head=b""):
    return b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body)
