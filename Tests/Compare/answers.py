#!/usr/bin/env python3
"""Compares the answers of two builds of the server: the same random requests to the same templates.

  python3 Tests/Compare/answers.py --binary BEFORE --binary AFTER [--count 10000] [--seed 1] [--archives]
      [--ignore-words] [-- OPTIONS OF SERVE]

Starts both builds for each group of templates: those in templates/, and those that are written in the Swift tests. Compares
status, header fields (but Date) and body, and the archives that both builds make. Prints each class of differences with
examples, and how the requests were answered; status 1 if anything differs. Loopback only, bounded in count and time.
"""

import argparse
import collections
import contextlib
import dataclasses
import http.client
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

sys.dont_write_bytecode = True

from asking import Requests  # noqa: E402
from cells import write_groups  # noqa: E402

PATIENCE_SECONDS = 30
EXAMPLES = 2
# Of requests whose group is the package's own templates, the others sharing the rest.
OWN_SHARE = 0.25
SAME_EXCEPT = {"date"}
# The members of an answer that --ignore-words leaves out: what is written for people. Rows may have such names, too.
ROW_WORDS = re.compile(rb'"(detail)":"(?:\\.|[^"\\])*"')
DOCUMENTS = ("/schemas/", "/openapi.json")
DOCUMENT_WORDS = re.compile(rb'"(description|summary|\$comment)":"(?:\\.|[^"\\])*"')


@dataclasses.dataclass
class Reply:
    status: int
    headers: dict
    body: bytes
    # The answer broke off.
    is_cut: bool

    def without_words(self, target):
        """The answer without texts for people, and without the fields that depend on their bytes."""
        is_document = self.status < 400 and target.startswith(DOCUMENTS)
        body = (DOCUMENT_WORDS if is_document else ROW_WORDS).sub(rb'"\1":""', self.body)
        dependent = {"content-length", "etag"} if is_document or body != self.body or self.status >= 400 else set()
        headers = {name: value for name, value in self.headers.items() if name not in dependent}
        return dataclasses.replace(self, headers=headers, body=body)


class Server:
    def __init__(self, binary, source, options):
        self.process = subprocess.Popen(
            # None of the two may refuse a request because it had to wait.
            [binary, "serve", *source, "--port", "0", "--workers", "1", "--queue-seconds", "0", "--log-level", "error", *options],
            stdout=subprocess.PIPE, text=True)
        url = urllib.parse.urlsplit(self.process.stdout.readline().removeprefix("listening on ").strip())
        if not url.port:
            sys.exit(f"{binary} does not start")
        self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE_SECONDS)
        self.tag = None

    def ask(self, request, number):
        """The answer; None if the connection was closed without one."""
        if request.is_conditional and self.tag:
            request = dataclasses.replace(request, headers=[*request.headers, ("If-None-Match", self.tag)])
        for attempt in range(2):
            was_open = self.connection.sock is not None
            try:
                return self.exchange(request, number)
            except (ConnectionError, http.client.HTTPException):
                self.connection.close()
                # A kept connection may have ended since the last answer.
                if attempt or not was_open:
                    return None

    def exchange(self, request, number):
        connection = self.connection
        connection.putrequest(request.method, request.target, skip_accept_encoding=True)
        headers = request.headers
        if not any(name == "X-Request-Id" for name, _ in headers):
            headers = [*headers, ("X-Request-Id", f"compare-{number}")]
        if request.chunk:
            headers = [*headers, ("Transfer-Encoding", "chunked")]
        elif request.body is not None:
            headers = [*headers, ("Content-Length", str(len(request.body)))]
        for name, value in headers:
            connection.putheader(name, value.encode())
        body = request.body
        if request.chunk:
            body = [body[start:start + request.chunk] for start in range(0, len(body), request.chunk)]
        # Where it is refused by its head, the rest of the body may find nobody.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.endheaders(body, encode_chunked=request.chunk is not None)
        answer = connection.getresponse()
        is_cut = False
        try:
            content = answer.read()
        except http.client.IncompleteRead as cut:
            content, is_cut = cut.partial, True
        if answer.getheader("Content-Encoding") == "gzip":
            content = zlib.decompressobj(wbits=31).decompress(content)
        if answer.will_close or is_cut:
            connection.close()
        if tag := answer.getheader("ETag"):
            self.tag = tag
        return Reply(answer.status, fields_of(answer, dict(headers)["X-Request-Id"]), content, is_cut)

    def end(self):
        """How the process ended: 0 as it should."""
        self.connection.close()
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE_SECONDS)


def fields_of(answer, request_id):
    fields = {}
    for name, value in answer.getheaders():
        fields[name.lower()] = fields.get(name.lower(), "") + f"{value}\n"
    fields = {name: value.strip() for name, value in fields.items() if name not in SAME_EXCEPT}
    # An id that the server made is another every time.
    if fields.get("x-request-id", request_id) != request_id:
        fields["x-request-id"] = f"{len(fields['x-request-id'])} characters"
    return fields


def differences(before, after):
    """Classes of differences, as words that hold nothing of the one request."""
    if before is None or after is None:
        if before is not after:
            yield f"no answer from {'the first' if before is None else 'the second'} build"
        return
    if before.status != after.status:
        yield f"status: {described(before)}, then {described(after)}"
        return
    for name in sorted(before.headers.keys() | after.headers.keys()):
        old, new = before.headers.get(name), after.headers.get(name)
        if old is None or new is None:
            yield f"header {name}: only in the {'second' if old is None else 'first'}, with status {before.status}"
        elif old != new and name not in ("content-length", "etag"):
            yield f"header {name}: another value, with status {before.status}"
        elif old != new and before.body == after.body:
            yield f"header {name}: another value for the same body, with status {before.status}"
    if before.is_cut != after.is_cut:
        yield f"breaks off: only in the {'second' if after.is_cut else 'first'}"
    if before.body != after.body:
        yield f"body of {described(before)}: {place_of_difference(before.body, after.body)}"


def described(reply):
    type = reply.headers.get("content-type", "no type").split(";")[0]
    if type == "application/problem+json" and reply.body:
        return f"{reply.status} {json.loads(reply.body)['type'].removeprefix('urn:cellfactory:')}"
    return f"{reply.status} {type}"


def place_of_difference(before, after):
    """Where two JSON texts differ first, without their indices; otherwise only that they do."""
    try:
        old, new = json.loads(before), json.loads(after)
    except ValueError:
        return "another text"
    place = ""
    while True:
        if isinstance(old, dict) and isinstance(new, dict):
            name = next((name for name in [*old, *new] if old.get(name, ...) != new.get(name, ...)), None)
            if name is None:
                return f"{place or 'the document'} is written in another way"
            place += f".{name}"
            if name not in old or name not in new:
                return f"{place} is only in the {'second' if name not in old else 'first'}"
            old, new = old[name], new[name]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            place += "[]"
            old, new = next(((a, b) for a, b in zip(old, new) if a != b), (None, None))
        else:
            return f"{place or 'the value'} is another"


class Report:
    def __init__(self):
        self.counts = collections.Counter()
        self.examples = collections.defaultdict(list)
        self.answers = collections.Counter()

    def note(self, name, example):
        self.counts[name] += 1
        if len(self.examples[name]) < EXAMPLES:
            self.examples[name].append(example)

    def count(self, reply):
        streamed = ", in chunks" if reply and "transfer-encoding" in reply.headers else ""
        self.answers[(described(reply) if reply else "nothing") + streamed] += 1

    def show(self):
        for name, count in self.counts.most_common():
            print(f"\n{count} times: {name}")
            for example in self.examples[name]:
                print(f"  {example}")
        print("\nanswers of the first build: " + ", ".join(
            f"{count} {name}" for name, count in sorted(self.answers.items())))


def shown(group, request, before, after):
    def reply(answer):
        return "nothing" if answer is None else f"{answer.status} {answer.headers} {first_difference(answer)!r}"

    def first_difference(answer):
        """The bytes around the first that differs."""
        other = after if answer is before else before
        place = 0
        if other is not None:
            pairs = enumerate(zip(answer.body, other.body))
            place = next((n for n, (a, b) in pairs if a != b), min(len(answer.body), len(other.body)))
        return answer.body[max(place - 60, 0):place + 120]

    return (f"{group}: {request.method} {request.target} {request.headers} {(request.body or b'')[:300]!r}\n"
            f"    first:  {reply(before)}\n    second: {reply(after)}")


def compare_group(name, sources, options, count, seed, report):
    servers = [Server(binary, source, options.serve) for binary, source in zip(options.binary, sources)]
    try:
        connection = servers[0].connection
        connection.request("GET", "/kinds")
        requests = Requests(json.loads(connection.getresponse().read())["kinds"], seed)
        for number in range(count):
            request = requests.next()
            before, after = (server.ask(request, number) for server in servers)
            if options.ignore_words:
                before, after = (reply and reply.without_words(request.target) for reply in (before, after))
            report.count(before)
            if before and before.headers.get("content-type") == "application/x-ndjson":
                remember_tags(requests, before.body)
            for found in differences(before, after):
                report.note(found, shown(name, request, before, after))
    finally:
        statuses = [server.end() for server in servers]
    for binary, status in zip(options.binary, statuses):
        if status:
            report.note(f"{binary} ended with status {status}", name)


def remember_tags(requests, lines):
    row = json.loads(lines.split(b"\n")[0] or b"{}")
    if tag := row.get("etag"):
        requests.tags = [*requests.tags[-20:], tag]


def archives_of(folder, name, group, binaries, report):
    """The archives of a group, by both builds."""
    paths = [pathlib.Path(folder, f"{name}.{number}.archive") for number in range(len(binaries))]
    for binary, path in zip(binaries, paths):
        subprocess.run([binary, "archive", group, "--output", path], check=True, capture_output=True, timeout=60)
    if paths[0].read_bytes() != paths[1].read_bytes():
        report.note("the archive has other bytes", name)
    return paths


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", action="append", required=True, help="given twice: the first build, and the second")
    arguments.add_argument("--count", type=int, default=10_000, help="requests in all")
    arguments.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    arguments.add_argument("--only", default="", help="groups whose names contain this")
    arguments.add_argument("--archives", action="store_true", help="serve each build's archives instead of the templates")
    arguments.add_argument("--ignore-words", action="store_true", help="of problems, schemas and the API's description")
    arguments.add_argument("serve", nargs="*", help="options of serve")
    options = arguments.parse_args()
    if len(options.binary) != 2:
        arguments.error("--binary must be given twice")
    start, report = time.monotonic(), Report()
    with tempfile.TemporaryDirectory() as folder:
        chosen = [group for group in write_groups(folder, options.binary) if options.only in group[0]]
        others = sum(name != "templates" for name, _ in chosen)
        for number, (name, group) in enumerate(chosen):
            archives = archives_of(folder, name, group, options.binary, report)
            sources = [("--archive", path) if options.archives else ("--templates", group) for path in archives]
            share = 1 if not others else OWN_SHARE if name == "templates" else (1 - OWN_SHARE) / others
            compare_group(name, sources, options, max(round(options.count * share), 1), options.seed + number, report)
    report.show()
    asked = sum(report.answers.values())
    print(f"compare: {len(chosen)} groups of templates, {asked} requests, seed {options.seed}, "
          f"{len(report.counts)} classes of differences, {time.monotonic() - start:.0f} s")
    sys.exit(1 if report.counts else 0)


if __name__ == "__main__":
    main()
