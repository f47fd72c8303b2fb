#!/usr/bin/env python3
"""Load over HTTP: CellFactory beside a ceiling, and beside what people would use instead.

The ceiling is libmicrohttpd answering the same bytes; the others are Hummingbird with swift-mustache, and Go's
net/http with html/template, drawing the same cells. Each runs on one core, one worker, and wrk on another. What
counts is the server's CPU time a request, which a busy client or machine changes little; requests a second stand
beside it. Needs wrk, taskset, a C compiler and libmicrohttpd's header (Debian: wrk, util-linux, gcc,
libmicrohttpd-dev); for the others Swift and Go (golang-go), without which the table says "not built". All of it
stays on the loopback address.
"""

import argparse
import contextlib
import html
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
from peers import PEERS, build_reference  # noqa: E402 (the line above has to stand before it)
from servers import Failure, Server  # noqa: E402
from table import OURS, REFERENCE, Result, machine, table  # noqa: E402
from workloads import TEMPLATES, workloads  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
WARM_UP_SECONDS = 1
# Written by libmicrohttpd itself, for CellFactory and the reference.
OWN_HEADERS = {"content-length", "date", "connection", "transfer-encoding"}
# Made anew for each request; the reference repeats one of the same length.
CHANGING_HEADERS = {"x-request-id"}


def comparable(headers):
    """Returns the headers sorted, without those that always differ."""
    left_out = OWN_HEADERS | CHANGING_HEADERS
    return sorted((name.lower(), value) for name, value in headers if name.lower() not in left_out)


def normalised(body):
    """Returns an answer with each character reference in one form: `&#34;` as `&quot;`, `&#43;` as `+`."""
    return re.sub(r"&#?\w+;", lambda found: html.escape(html.unescape(found[0])), body.decode())


def check_reference(path, answer, ours):
    kept = [(each.status, each.body, comparable(each.headers)) for each in (answer, ours)]
    if kept[0] != kept[1]:
        raise Failure(f"{path}: the reference answers otherwise: {answer.status} {answer.headers}")


def check_peer(path, name, answer, ours):
    """Checks that a peer renders the same bytes, except for the form of character references."""
    kinds = [each.header("content-type") for each in (answer, ours)]
    if (answer.status, kinds[0]) != (ours.status, kinds[1]):
        raise Failure(f"{path}: {name} answers otherwise: {answer.status} {answer.headers}")
    its, our = normalised(answer.body), normalised(ours.body)
    if its != our:
        place = len(os.path.commonprefix([its, our]))
        told = f"{its[place:place + 80]!r}, not {our[place:place + 80]!r}"
        raise Failure(f"{path}: {name} answers otherwise: {told}")


def measure(workload, ours, peers, reference_program, folder, options, cores):
    """Measures all servers in rounds. `peers` holds them by name, None if one is not built."""
    path = "/cells/" + urllib.parse.quote(workload.kind)
    answer = ours.post(path, workload.body)
    if answer.status != 200:
        raise Failure(f"{path}: {answer.status}: {answer.body[:500].decode(errors='replace')}")
    body_file = folder / f"{workload.name}.json"
    answer_file = folder / f"{workload.name}.answer"
    body_file.write_bytes(workload.body)
    answer_file.write_bytes(answer.body)
    command = [reference_program, answer_file]
    for name, value in answer.headers:
        if name.lower() not in OWN_HEADERS:
            command += ["--header", f"{name}: {value}"]

    with Server("the reference", command, cores[0]) as reference:
        check_reference(path, reference.post(path, workload.body), answer)
        for name, peer in peers.items():
            if peer:
                check_peer(path, name, peer.post(path, workload.body), answer)
        servers = {OURS: ours, REFERENCE: reference, **peers}
        turns = {OURS: options.rounds, REFERENCE: options.rounds}
        turns |= {name: options.peer_rounds if peer else 0 for name, peer in peers.items()}

        def load(name, seconds):
            return servers[name].load(path, body_file, seconds, options.connections, cores[1])

        return Result(workload, len(answer.body), played(turns, load, options.seconds))


def played(turns, load, seconds):
    """Returns the rounds of each server in order. `turns` has their numbers by name; `load` runs one."""
    for name in turns:
        if turns[name]:
            load(name, WARM_UP_SECONDS)
    rounds = {name: [] for name in turns}
    for turn in range(max(turns.values())):
        playing = [name for name in turns if turn < turns[name]]
        # A B, B A, A B: a machine that grows slower or faster does so for all.
        for name in playing if turn % 2 == 0 else reversed(playing):
            rounds[name].append(load(name, seconds))
    return rounds


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def arguments():
    names = [workload.name for workload in workloads()]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, default=".build/release/cellfactory",
                        help="the server (default: %(default)s)")
    parser.add_argument("--templates", type=pathlib.Path, default=TEMPLATES,
                        help="its templates (default: those of the benchmarks)")
    parser.add_argument("--reference", type=pathlib.Path,
                        help="reference.c, compiled (default: compiled for this run)")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME",
                        help=f"this workload, may be repeated: {', '.join(names)}")
    parser.add_argument("--no-peers", dest="peers", action="store_const", const=[], default=PEERS,
                        help="the reference alone")
    parser.add_argument("--seconds", type=positive, default=1, metavar="N",
                        help="of load in a round (default: %(default)s)")
    parser.add_argument("--rounds", type=positive, default=21, metavar="N",
                        help="for ours and the reference each (default: %(default)s)")
    parser.add_argument("--peer-rounds", type=positive, default=3, metavar="N",
                        help="for each peer (default: %(default)s)")
    parser.add_argument("--connections", type=positive, default=8, metavar="N",
                        help="(default: %(default)s)")
    return parser.parse_args()


def run(options):
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise Failure("two cores are needed: one for the server, one for wrk")
    chosen = [workload for workload in workloads() if not options.only or workload.name in options.only]
    command = [
        options.binary, "serve", "--templates", options.templates, "--workers", 1,
        "--host", "127.0.0.1", "--port", 0,
    ]
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        reference = options.reference or build_reference(folder)
        programs = [(peer, peer.built(folder)) for peer in options.peers]
        ours = stack.enter_context(Server("cellfactory", command, cores[0]))
        peers = {
            peer.name: stack.enter_context(Server(peer.name, [program], cores[0], peer.environment))
            if program else None
            for peer, program in programs
        }
        results = []
        for workload in chosen:
            print(f"{workload.name} …", file=sys.stderr, flush=True)
            results.append(measure(workload, ours, peers, reference, folder, options, cores))
    for_peers = f" ({options.peer_rounds} for {' and '.join(peers)})" if peers else ""
    print(f"{machine()}; {time.strftime('%Y-%m-%d')}; wrk with {options.connections} connections, "
          f"{options.rounds} rounds of {options.seconds} s for each server{for_peers}, medians\n")
    print(table(results))


def end_on_signal(number, _):
    sys.exit(128 + number)  # An exception, so that every `with` block ends what it started.


def main():
    signal.signal(signal.SIGTERM, end_on_signal)
    try:
        run(arguments())
    except Failure as failure:
        sys.exit(f"load.py: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
