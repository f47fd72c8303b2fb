"""Workers: two of them spend no more CPU on a request than one, for they share nothing."""

from scaling.check import at_most
from scaling.load import cost, interleaved
from scaling.server import TEMPLATES, Server
from workloads import workloads

LIMIT = 1.1
# The same load for both: what one worker does with about half a core. Each connection pauses between its requests.
CONNECTIONS = {"news": 128, "table": 12}
PAUSE_MILLISECONDS = 5
ROUND_SECONDS = 1


def checks(options, folder):
    found = []
    command = [options.server, "--templates", TEMPLATES, "--workers"]
    with Server(*command, 1) as one, Server(*command, 2) as two:
        for workload in workloads():
            if workload.name not in CONNECTIONS:
                continue
            body = folder / f"{workload.name}.json"
            body.write_bytes(workload.body)

            def load(server):
                return lambda: cost(
                    server, f"/cells/{workload.kind}", body, ROUND_SECONDS, CONNECTIONS[workload.name],
                    pause_milliseconds=PAUSE_MILLISECONDS)

            for server in (one, two):
                load(server)()
            quotient, words = interleaved(load(one), load(two), options.rounds)
            found.append(at_most(
                f"{workload.name}: CPU of a request, two workers to one", quotient, LIMIT, words))
    return found
