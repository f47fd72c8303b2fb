#!/usr/bin/env python3
"""Checks reloads under load: templates are replaced and SIGHUP is sent every 100 ms, with batches so long that they are read
in slices and streamed across reloads.

The cells of the two versions print their version, and have different numbers of kinds and names. Every answer must be
200, complete, from a single version, and from the one in its header CellFactory-Archive. The server's memory must not
grow over hundreds of reloads. Prints answers, reloads and resident memory; status 1 if anything is wrong. Loopback only.
"""

import argparse
import http.client
import json
import multiprocessing
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ALLOWED_GROWTH = 1.10
VERSIONS = ("old", "new")


def write(folder, version):
    """Replaces each template by rename. Only when all are replaced do they form one version."""
    files = {
        "note.mustache": "<p>%s {{title}} {{#tags}}{{.}}{{/tags}} {{>part}}</p>" % version,
        "part.mustache": "<b>%s</b>" % version,
        # Takes kinds and names out of their places.
        "a.mustache": "{{aaa}}{{bbb}}" if version == "old" else "{{title}}",
    }
    if version == "new":
        files["a2.mustache"] = "{{tags}}{{zzz}}"
    else:
        (folder / "a2.mustache").unlink(missing_ok=True)
    for name, text in files.items():
        (folder / ("." + name)).write_text(text)
        (folder / ("." + name)).rename(folder / name)


def drawn(version, place):
    return f"<p>{version} {place} x <b>{version}</b></p>"


def requests(counts):
    """Returns bodies, and the answer of each version."""
    made = []
    for count in counts:
        rows = [{"title": str(place), "tags": ["x"]} for place in range(count)]
        answers = {version: "".join(drawn(version, place) for place in range(count)).encode() for version in VERSIONS}
        made.append(("/cells/note", "application/json", json.dumps(rows).encode(), answers))
        made.append((
            "/cells/note", "application/x-ndjson", "\n".join(json.dumps(row) for row in rows).encode(), answers))
        made.append((
            "/cells", "application/json", json.dumps([{"kind": "note", "data": row} for row in rows]).encode(), answers))
        made.append(("/cells/note?on_error=skip", "application/json", json.dumps(rows).encode(), answers))
    return made


def run_client(port, number, counts, hashes, end, results):
    answers, versions, faults = 0, {version: 0 for version in VERSIONS}, []
    made = requests(counts)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while time.monotonic() < end and len(faults) < 5:
        target, kind, body, expected = made[(answers + number) % len(made)]
        try:
            connection.request("POST", target, body, {"Content-Type": kind})
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            faults.append(f"{target}: {error!r}")
            connection.close()
            continue
        answers += 1
        version = hashes.get(response.getheader("CellFactory-Archive"))
        if response.status != 200 or version is None:
            faults.append(f"{target}: {response.status} {response.getheader('CellFactory-Archive')} {text[:200]}")
        elif text != expected[version]:
            other = VERSIONS[1 - VERSIONS.index(version)]
            faults.append(f"{target}: says {version}; {text.count(other.encode())} times {other} in {len(text)} bytes")
        else:
            versions[version] += 1
    results.put((answers, versions, faults))


def resident(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text).group(1))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--interval", type=float, default=0.1, help="seconds between reloads")
    arguments.add_argument("--clients", type=int, default=3)
    arguments.add_argument("--rows", default="10,2000,60000", help="of the batches, by commas")
    arguments.add_argument("--watch", action="store_true", help="the changes alone, no SIGHUP")
    options = arguments.parse_args()
    counts = [int(count) for count in options.rows.split(",")]

    with tempfile.TemporaryDirectory() as folder:
        templates = pathlib.Path(folder) / "templates"
        templates.mkdir()
        hashes = {}
        for version in reversed(VERSIONS):
            write(templates, version)
            told = subprocess.run(
                [options.binary, "archive", str(templates), "--output", folder + "/cells.archive"],
                capture_output=True, text=True, check=True).stdout
            hashes[re.search(r"archive ([0-9a-f]{32})", told).group(1)] = version
        log = open(folder + "/log", "w+")
        server = subprocess.Popen(
            [options.binary, "serve", "--templates", str(templates), "--workers", "2", "--port", "0", "--queue-seconds", "0"]
            + (["--watch"] if options.watch else []), stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            port = int(server.stdout.readline().rsplit(":", 1)[-1])
            end = time.monotonic() + options.seconds
            results = multiprocessing.Queue()
            clients = [
                multiprocessing.Process(
                    target=run_client, args=(port, number, counts, hashes, end, results), daemon=True)
                for number in range(options.clients)]
            for client in clients:
                client.start()
            asked, memory = 0, []
            while time.monotonic() < end:
                write(templates, VERSIONS[(asked + 1) % 2])
                if not options.watch:
                    server.send_signal(signal.SIGHUP)
                asked += 1
                await_adoption(folder, asked, end)
                memory.append(resident(server.pid))
                time.sleep(options.interval)
            outcomes = [results.get(timeout=120) for _ in clients]
        finally:
            server.send_signal(signal.SIGTERM)
            ended = server.wait(timeout=60)
        text = pathlib.Path(folder, "log").read_text()

    reloads = text.count("reloaded") - text.count("not reloaded") - text.count("nothing changed")
    early = statistics.median(memory[len(memory) // 5: len(memory) // 5 + max(len(memory) // 10, 1)])
    late = statistics.median(memory[-max(len(memory) // 10, 1):])
    faults = [fault for _, _, found in outcomes for fault in found]
    answers = sum(answers for answers, _, _ in outcomes)
    by_version = {version: sum(versions[version] for _, versions, _ in outcomes) for version in VERSIONS}
    print(f"answers: {answers:,}, of " + " and ".join(f"{version} {count:,}" for version, count in by_version.items()))
    print(f"reloads: {reloads:,} of {asked:,} asked for, one in {options.seconds / max(reloads, 1) * 1000:.0f} ms")
    print(f"resident memory: {early:,.0f} KiB after a fifth of them, {late:,.0f} KiB at the end")
    for fault in faults[:20]:
        print(f"fault: {fault}")
    if faults or ended != 0:
        sys.exit(f"{len(faults)} answers are amiss; the server ended with status {ended}")
    if reloads < asked * 0.9 or min(by_version.values()) == 0:
        sys.exit("too few reloads to show anything")
    if late > early * ALLOWED_GROWTH:
        sys.exit("the server's memory grows")


def await_adoption(folder, asked, end):
    """Waits until the log shows all requested reloads, so that no file is replaced while it is read."""
    while time.monotonic() < end + 30:
        if pathlib.Path(folder, "log").read_text().count("reloaded") >= asked:
            return
        time.sleep(0.005)
    sys.exit("a reload does not come: " + pathlib.Path(folder, "log").read_text()[-2000:])


if __name__ == "__main__":
    main()
