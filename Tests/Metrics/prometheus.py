#!/usr/bin/env python3
"""Checks /metrics with a real Prometheus, which scrapes the server during known requests and is queried afterwards.

  python3 Tests/Metrics/prometheus.py --binary CELLFACTORY [--seconds 4]

Every counter must match the requests exactly; rates and quantiles must be plausible; `promtool` must find no problems in
the metrics and in the alerts of deploy/prometheus. The queries and the configuration of docs/metrics.md must work. Prints the results; status 1 on a mismatch. Passes with a message if
Prometheus is not installed. Loopback only, on its own ports; takes some ten seconds.
"""

import argparse
import http.client
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from skipping import skip  # noqa: E402
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
PATIENCE = 30
IN_FLIGHT_LIMIT = 1 << 20

JSON = {"Content-Type": "application/json"}
ROWS = json.dumps([{"title": "Bread & roses", "tags": ["a", "b"]}] * 10)
# Method, path, body, headers; what it is counted as: route, kind, status; the rows it draws, by kind.
TRAFFIC = [
    ("POST", "/cells/news", ROWS, JSON, ("/cells/{kind}", "news", 200), {"news": 10}),
    ("POST", "/cells/table-row", '[{"id":1},{"id":2}]', JSON, ("/cells/{kind}", "table-row", 200), {"table-row": 2}),
    ("POST", "/cells", '[{"kind":"news"},{"kind":"digest","data":{}}]', JSON | {"Accept": "application/json"},
     ("/cells", "", 200), {"news": 1, "digest": 1}),
    ("GET", "/cells/shop%2Fprice?amount=1", None, {}, ("/cells/{kind}", "shop/price", 200), {"shop/price": 1}),
    ("POST", "/cells/nothing", "[{}]", JSON, ("/cells/{kind}", "unknown", 404), {}),
    ("GET", "/nowhere", None, {}, ("other", "", 404), {}),
    ("POST", "/cells/news", "[1,", JSON, ("/cells/{kind}", "news", 400), {}),
    ("POST", "/cells", '[{"kind":"none"}]', JSON, ("/cells", "", 422), {}),
    # More than the worker could ever hold: refused by its head, before the path is looked at.
    ("POST", "/cells/news", "[" + " " * (IN_FLIGHT_LIMIT + 1) + "]", JSON, ("none", "", 413), {}),
]
# The end of this body comes some time after its beginning. Half of its route's requests have it.
PAUSED, PAUSE_SECONDS = ("/cells", "", 200), 0.02
# Each bucket of a histogram ends at most so many times above where it begins.
BUCKET_GROWTH = 2.5

problems = []


def check(is_so, what):
    print(("  " if is_so else "! ") + what)
    if not is_so:
        problems.append(what)


def run(*command, stdin=None):
    outcome = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60)
    return outcome.returncode, (outcome.stdout + outcome.stderr).strip()


def in_two_parts(body):
    yield body[:1].encode()
    time.sleep(PAUSE_SECONDS)
    yield body[1:].encode()


class Server:
    def __init__(self, binary, folder):
        self.process = subprocess.Popen(
            [binary, "serve", "--templates", ROOT / "templates", "--port", "0", "--workers", "2", "--log-level", "error",
             "--in-flight-limit-bytes", str(IN_FLIGHT_LIMIT)],
            stdout=subprocess.PIPE, stderr=open(pathlib.Path(folder, "server.log"), "w"), text=True)
        url = urllib.parse.urlsplit(self.process.stdout.readline().removeprefix("listening on ").strip())
        self.address = url.netloc
        self.connections = []

    def ask(self, method, path, body=None, headers=None, connection=None):
        """Sends a request on a new connection, or on the given one."""
        used = connection or http.client.HTTPConnection(self.address, timeout=PATIENCE)
        start = time.monotonic()
        try:
            used.request(method, path, body, headers or {})
        except (BrokenPipeError, ConnectionResetError):
            pass  # Refused before all of it was sent.
        answer = used.getresponse()
        body = answer.read()
        if not connection:
            used.close()
        return answer.status, body, time.monotonic() - start, answer.headers

    def metrics(self):
        return self.ask("GET", "/metrics")[1].decode()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


class Prometheus:
    def __init__(self, folder, target):
        self.log = pathlib.Path(folder, "prometheus.log")
        config = pathlib.Path(folder, "prometheus.yml")
        config.write_text(json.dumps({
            "global": {"scrape_interval": "500ms", "scrape_timeout": "400ms", "evaluation_interval": "1s"},
            "rule_files": [str(ALERTS)],
            "scrape_configs": [{"job_name": "cellfactory", "static_configs": [{"targets": [target]}]}]}))
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
                 "--web.listen-address=127.0.0.1:0"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    @property
    def address(self):
        """Where it listens, which its log says."""
        found = re.search(r'"Listening on" address=(\S+)', self.log.read_text())
        if not found:
            raise ConnectionError
        return found[1]

    def get(self, path, **query):
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        connection.request("GET", path + "?" + urllib.parse.urlencode(query))
        answer = json.loads(connection.getresponse().read())
        connection.close()
        if answer["status"] != "success":
            sys.exit(f"Prometheus refuses {query}: {answer}")
        return answer["data"]

    def query(self, expression, **at):
        """Returns labels and value of each sample."""
        found = self.get("/api/v1/query", query=expression, **at)["result"]
        return [(sample["metric"], float(sample["value"][1])) for sample in found]

    def value(self, expression, **at):
        found = self.query(expression, **at)
        return found[0][1] if len(found) == 1 else None

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


def eventually(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if condition():
                return True
        except (ConnectionError, json.JSONDecodeError):
            pass  # Prometheus is starting.
        time.sleep(0.1)
    return False


def send_traffic(server, seconds):
    """Sends all requests in rounds. Returns what was sent (by subject, rows by kind, bytes) and the latencies by route."""
    subjects, rows, latencies, bodies, answers = {}, {}, {}, 0, 0
    kept = http.client.HTTPConnection(server.address, timeout=PATIENCE)
    start, rounds = time.monotonic(), 0
    while rounds < 3 or time.monotonic() - start < seconds:
        for method, path, body, headers, subject, drawn in TRAFFIC:
            parts = in_two_parts(body) if subject == PAUSED else body
            more = {"Content-Length": str(len(body))} if subject == PAUSED else {}
            status, answer, took, _ = server.ask(
                method, path, parts, headers | more, None if subject[2] == 413 else kept)
            if status != subject[2]:
                sys.exit(f"{method} {path} was answered with {status}")
            subjects[subject] = subjects.get(subject, 0) + 1
            answers += len(answer)
            latencies.setdefault(subject[0], []).append(took)
            if status != 413:
                bodies += len(body or "")
            for kind, count in drawn.items():
                rows[kind] = rows.get(kind, 0) + count
        rounds += 1
    kept.close()
    return subjects, rows, latencies, bodies, answers, (time.monotonic() - start, time.time()), rounds


def check_counts(prometheus, sent):
    subjects, rows, _, bodies, answers, _, rounds = sent
    counted = {
        (labels["route"], labels.get("kind", ""), int(labels["status"])): value
        for labels, value in prometheus.query('cellfactory_requests_total{route!="/metrics"}')}
    check(counted == subjects, f"requests by route, kind and status: {sum(counted.values()):.0f} in {len(counted)} series")
    if counted != subjects:
        print(f"    counted {counted}\n    sent {subjects}")
    drawn = {labels["kind"]: value for labels, value in prometheus.query("cellfactory_rows_rendered_total > 0")}
    check(drawn == rows, f"rows by kind: {drawn}")
    check(prometheus.value("cellfactory_rows_bad_total") == rounds, "bad rows")
    check(prometheus.value("cellfactory_request_body_bytes_total") == bodies, f"bytes of bodies: {bodies}")
    scraped = prometheus.value('cellfactory_requests_total{route="/metrics"}')
    check(prometheus.value("cellfactory_response_body_bytes_total") > answers, f"bytes of answers: more than {answers}")
    check(prometheus.value('cellfactory_requests_refused_total{reason="body_too_large"}') == rounds, f"refused: {rounds}")
    check(prometheus.value("sum(cellfactory_requests_refused_total)") == rounds, "refused for no other reason")
    check(prometheus.value("cellfactory_requests_aborted_total") == 0, "none aborted")
    check(scraped > 3, f"scrapes: {scraped:.0f}")
    answered = sum(subjects.values())
    durations = prometheus.value('sum(cellfactory_request_duration_seconds_count{route!="/metrics"})')
    check(durations == answered, f"a latency for each request: {durations:.0f}")
    parsed = sum(count for (_, _, status), count in subjects.items() if status in (200, 422))
    for stage in ["parse", "render"]:
        check(prometheus.value(f"cellfactory_{stage}_duration_seconds_count") == parsed, f"a {stage} for each body: {parsed}")
    pool = prometheus.value("cellfactory_reuse_hits_total + cellfactory_reuse_misses_total")
    check(pool >= rounds * 4, f"cells taken from the pool or made: {pool:.0f}")
    check(prometheus.value("sum by (job) (cellfactory_connections_opened_total)") >= rounds + 2, "connections opened")


def check_values(prometheus, sent):
    _, rows, latencies, _, _, (seconds, end), rounds = sent
    # While all was being sent.
    window = f"{int(seconds * 1000 - 1000)}ms"
    rate = prometheus.value(f'sum(rate(cellfactory_rows_rendered_total{{kind="news"}}[{window}]))', time=end)
    true = rows["news"] / seconds
    check(rate is not None and true * 0.5 < rate < true * 1.5, f"rate of rows: {rate:.0f}/s, {true:.0f}/s were sent")
    # The last is the median of the requests that pause.
    for route, quantile, least in [("/cells/{kind}", 0.5, 0), ("/cells/{kind}", 0.99, 0), (PAUSED[0], 0.75, PAUSE_SECONDS)]:
        seen = prometheus.value(
            f'histogram_quantile({quantile}, sum by (le) (cellfactory_request_duration_seconds_bucket{{route="{route}"}}))') or 0
        felt = sorted(latencies[route])[math.ceil(len(latencies[route]) * quantile) - 1]
        # The server sees no more of a request than its client.
        check(least / BUCKET_GROWTH < seen <= felt * BUCKET_GROWTH,
              f"quantile {quantile} of {route}: {seen * 1e6:.0f} us; the client felt {felt * 1e6:.0f}")
    whole = prometheus.value("sum(cellfactory_request_duration_seconds_sum)")
    parts = prometheus.value("cellfactory_parse_duration_seconds_sum + cellfactory_render_duration_seconds_sum")
    busy = prometheus.value("sum(cellfactory_loop_turn_duration_seconds_sum)")
    processor = prometheus.value("process_cpu_seconds_total")
    check(0 < parts < whole, f"parsing and rendering: {parts:.4f} s of {whole:.4f} s")
    check(parts < busy < 2 * (seconds + 60), f"busy: {busy:.4f} s of the loops, {processor:.2f} s of the process")
    turns = prometheus.value("sum(cellfactory_loop_turn_duration_seconds_count)")
    check(turns > rounds, f"turns: {turns:.0f}")
    longest = prometheus.value("max(cellfactory_loop_turn_longest_seconds)")
    check(0 < longest < seconds + 60, f"the longest turn: {longest * 1e3:.2f} ms")
    check(prometheus.value("sum by (job) (resets(cellfactory_requests_total[1m]))") == 0, "no counter fell")
    check(prometheus.value("sum(cellfactory_in_flight_bytes)") == 0, "nothing held in the end")
    check(prometheus.value("cellfactory_ready") == 1, "ready")
    check(prometheus.value("cellfactory_reload_last_successful") == 1, "the cells are those asked for")
    started = prometheus.value("time() - process_start_time_seconds")
    check(0 < started < 600, f"started {started:.1f} s ago")
    check(1 << 20 < prometheus.value("process_resident_memory_bytes") < 1 << 30, "resident memory")
    check(5 < prometheus.value("process_open_fds") < prometheus.value("process_max_fds"), "descriptors")
    info = prometheus.query("cellfactory_build_info")[0][0]
    check(all(info[name] for name in ["version", "swift", "libmicrohttpd", "simdjson"]), f"made of {info}")


def check_histograms(metrics):
    """Checks that the sum of each histogram is one that its buckets allow."""
    buckets, sums = {}, {}
    for name, labels, value in re.findall(r"^(\w+_(?:bucket|sum))(?:\{(.*)\})? (\S+)$", metrics, re.MULTILINE):
        labels, _, upper = labels.rpartition('le="') if name.endswith("_bucket") else (labels, "", "")
        series = name.rpartition("_")[0], labels.rstrip(",")
        if upper:
            buckets.setdefault(series, []).append((float(upper.rstrip('"')), int(value)))
        else:
            sums[series] = float(value)
    wrong, used = [], set()
    for series, bounds in buckets.items():
        least = most = lower = before = 0
        for upper, count in bounds:
            if count > before:
                least, most = least + (count - before) * lower, most + (count - before) * upper
                used.add(series[0])
            lower, before = upper, count
        # Sums are rounded.
        if not least * 0.999 <= sums[series] <= most * 1.001:
            wrong.append(f"{series}: {sums[series]} is not from {least} to {most}")
    check(not wrong and len(used) == 4, f"sums within those of the buckets: {len(buckets)} histograms of {', '.join(sorted(used))} {wrong or ''}")


def examples():
    """Returns the queries and the configuration of docs/metrics.md."""
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    queries, configuration = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line.partition("#")[0].strip() for line in queries.splitlines()], configuration


def check_examples(prometheus, folder):
    queries, configuration = examples()
    for query in queries:
        check(len(prometheus.query(query)) > 0, f"docs/metrics.md: {query}")
    path = pathlib.Path(folder, "documented.yml")
    path.write_text(configuration)
    status, said = run("promtool", "check", "config", str(path))
    check(status == 0, "docs/metrics.md: the configuration" if status == 0 else said)


def check_scraping(prometheus):
    target = prometheus.get("/api/v1/targets")["activeTargets"][0]
    check(target["health"] == "up" and not target["lastError"],
          f"scraped in {target['lastScrapeDuration'] * 1e3:.1f} ms {target['lastError']}")
    samples = prometheus.value("scrape_samples_scraped")
    check(samples == prometheus.value("scrape_samples_post_metric_relabeling"), f"samples: {samples:.0f}")
    metadata = prometheus.get("/api/v1/targets/metadata")
    check(all(entry["type"] in ("counter", "gauge", "histogram") and entry["help"] for entry in metadata),
          f"metrics with type and help: {len(metadata)}")
    rules = prometheus.get("/api/v1/rules")["groups"][0]["rules"]
    check(all(rule["health"] == "ok" for rule in rules), f"alerts that can be evaluated: {len(rules)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", required=True, help="cellfactory")
    arguments.add_argument("--programs", default="", help="a folder with prometheus and promtool, if PATH has none")
    arguments.add_argument("--seconds", type=float, default=4, help="of traffic")
    options = arguments.parse_args()
    os.environ["PATH"] += os.pathsep + str(pathlib.Path(options.programs).resolve())
    if not (shutil.which("prometheus") and shutil.which("promtool")):
        return skip("Tests/Metrics/prometheus.py", "there is no prometheus")

    status, said = run("promtool", "check", "rules", str(ALERTS))
    check(status == 0, f"promtool check rules: {said.splitlines()[-1].strip()}")
    status, said = run("promtool", "test", "rules", str(HERE / "alerts.yml"))
    check(status == 0, "promtool test rules" if status == 0 else said)

    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        prometheus = Prometheus(folder, server.address)
        try:
            if not eventually(lambda: prometheus.value("up") == 1):
                sys.exit(f"Prometheus scrapes nothing:\n{prometheus.log.read_text()}")
            sent = send_traffic(server, options.seconds)
            total = sum(sent[0].values())
            eventually(lambda: prometheus.value('sum(cellfactory_requests_total{route!="/metrics"})') == total)
            check_counts(prometheus, sent)
            check_values(prometheus, sent)
            check_examples(prometheus, folder)
            check_scraping(prometheus)
            metrics = server.metrics()
            check_histograms(metrics)
            status, said = run("promtool", "check", "metrics", stdin=metrics)
            check(status == 0 and not said, f"promtool check metrics says nothing {said}")
            check(len(metrics) < 100_000, f"bytes of a scrape: {len(metrics)}")
        finally:
            prometheus.end()
            ended = server.end()
        check(ended == 0, f"the server ended with {ended}")
    if problems:
        sys.exit(f"{len(problems)} of what Prometheus was asked is not so")


if __name__ == "__main__":
    main()
