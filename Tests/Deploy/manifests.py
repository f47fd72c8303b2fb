#!/usr/bin/env python3
"""Checks that the files in deploy/ are valid and consistent.

Validates each Kubernetes resource against the schemas of several versions, the Compose file against its schema, and the
HAProxy file with HAProxy. Ports, names, times and memory must agree between the files, and the server must start with
the settings they give it. Prints errors; status 1 if there are any.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import kubernetes_validate
import yaml

import checks
import kustomize
from checks import expect

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
KUBERNETES_VERSIONS = ["1.30", "1.33", "1.37"]
FORMS = ["base", "templates-image", "templates-configmap"]
# What connections, the process itself and a worker take beside what is in flight, as docs/operations.md says.
CONNECTION_BYTES, PROCESS_BYTES, WORKER_BYTES = 47_000, 32 << 20, 32 << 20
UNITS = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def size(text):
    number, unit = re.fullmatch(r"(\d+)([A-Za-z]*)", str(text)).groups()
    return int(number) * (UNITS[unit] if unit else 1)


def seconds(text):
    return float(re.fullmatch(r"([\d.]+)s", text).group(1))


def image_environment():
    """Returns the variables set by the Dockerfile."""
    text = (ROOT / "Dockerfile").read_text()
    lines = re.search(r"^ENV ((?:.*\\\n)*.*)", text, re.M).group(1)
    return dict(word.split("=", 1) for word in lines.replace("\\\n", " ").split())


def environment_of(container):
    """Returns the variables of a pod's container, as text."""
    result = {}
    for variable in container["env"]:
        if "value" in variable:
            result[variable["name"]] = variable["value"]
        else:
            reference = variable["valueFrom"]["resourceFieldRef"]
            assert reference["resource"] == "limits.cpu" and reference["divisor"] == "1", reference
            result[variable["name"]] = container["resources"]["limits"]["cpu"]
    return result


def check_stop(place, environment, patience_seconds, notice_seconds):
    """Checks that the server ends before it is killed, and serves until the load balancer has noticed."""
    drain = float(environment.get("CELLFACTORY_DRAIN_SECONDS", 10))
    delay = float(environment.get("CELLFACTORY_DRAIN_DELAY_SECONDS", 0))
    expect(drain < patience_seconds, place, "is killed before it is drained")
    expect(notice_seconds < delay < drain, place, "stops before that is noticed, or has no time to drain")


def check_memory(place, environment, limit):
    workers = int(environment["CELLFACTORY_WORKERS"])
    needed = (workers * (int(environment["CELLFACTORY_IN_FLIGHT_LIMIT_BYTES"]) + WORKER_BYTES)
              + int(environment["CELLFACTORY_CONNECTIONS"]) * CONNECTION_BYTES + PROCESS_BYTES)
    expect(needed < limit, place, f"may need {needed:,} bytes of {limit:,}")


def check_restricted(place, pod):
    """Checks the pod security standard "restricted", and a read-only root."""
    expect(pod["securityContext"]["runAsNonRoot"] is True, place, "runAsNonRoot")
    expect(pod["securityContext"]["runAsUser"] == 65532, place, "runAsUser")
    expect(pod["securityContext"]["seccompProfile"]["type"] in ("RuntimeDefault", "Localhost"), place, "seccompProfile")
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        expect(not pod.get(key), place, key)
    allowed = {"name", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected",
               "secret"}
    for volume in pod.get("volumes", []):
        expect(set(volume) <= allowed, place, "volume", volume["name"])
    for container in pod["containers"]:
        context = container["securityContext"]
        expect(context["allowPrivilegeEscalation"] is False, place, "allowPrivilegeEscalation")
        expect(context["capabilities"] == {"drop": ["ALL"]}, place, "capabilities")
        expect(context["readOnlyRootFilesystem"] is True, place, "readOnlyRootFilesystem")
        expect(not context.get("privileged"), place, "privileged")


def check_form(name):
    """Checks one variant of the Kubernetes manifests. Returns its container's variables and arguments."""
    resources = kustomize.build(DEPLOY / "kubernetes" / name)
    for resource in resources:
        for version in KUBERNETES_VERSIONS:
            try:
                kubernetes_validate.validate(resource, version, strict=True)
                expect(True)
            except kubernetes_validate.ValidationError as error:
                expect(False, name, resource["kind"], version, error.message)
    by_kind = {resource["kind"]: resource for resource in resources}
    expect(len(by_kind) == len(resources), name, "has two resources of a kind")
    deployment = by_kind["Deployment"]
    spec = deployment["spec"]
    pod = spec["template"]["spec"]
    labels = spec["template"]["metadata"]["labels"]
    (container,) = pod["containers"]
    environment = environment_of(container)

    check_restricted(name, pod)
    expect(pod["enableServiceLinks"] is False, name, "a Service would set CELLFACTORY_PORT")
    expect(pod["automountServiceAccountToken"] is False, name, "automountServiceAccountToken")
    expect("replicas" not in spec, name, "the autoscaler says how many replicas there are")
    ready = container["readinessProbe"]
    notice = ready["periodSeconds"] * ready["failureThreshold"]
    check_stop(name, environment, pod["terminationGracePeriodSeconds"], notice)
    check_memory(name, environment, size(container["resources"]["limits"]["memory"]))

    (port,) = container["ports"]
    expect(str(port["containerPort"]) == image_environment()["CELLFACTORY_PORT"], name, "port")
    for probe, path in [("startupProbe", "/readyz"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz")]:
        expect(container[probe]["httpGet"] == {"path": path, "port": port["name"]}, name, probe)
    (service_port,) = by_kind["Service"]["spec"]["ports"]
    expect(service_port["targetPort"] == port["name"], name, "Service, port")
    for ingress in by_kind["NetworkPolicy"]["spec"]["ingress"]:
        expect([entry["port"] for entry in ingress["ports"]] == [port["name"]], name, "NetworkPolicy, port")
    selectors = {
        "Deployment": spec["selector"]["matchLabels"],
        "Service": by_kind["Service"]["spec"]["selector"],
        "PodDisruptionBudget": by_kind["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        "NetworkPolicy": by_kind["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
        **{f"spread {index}": spread["labelSelector"]["matchLabels"]
           for index, spread in enumerate(pod["topologySpreadConstraints"])},
    }
    for kind, selector in selectors.items():
        expect(selector and selector.items() <= labels.items(), name, kind, "selects", selector, "not", labels)
    target = by_kind["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    expect((target["kind"], target["name"]) == ("Deployment", deployment["metadata"]["name"]), name, "autoscaler")

    maps = {resource["metadata"]["name"]: resource["data"] for resource in resources if resource["kind"] == "ConfigMap"}
    mounts = {mount["name"] for mount in container.get("volumeMounts", [])}
    for volume in pod.get("volumes", []):
        expect(volume["name"] in mounts, name, "volume", volume["name"], "is not mounted")
        keys = {item["key"] for item in volume["configMap"]["items"]}
        expect(keys == set(maps[volume["configMap"]["name"]]), name, "items of", volume["name"])
    return environment, container["args"]


def check_whole_form(binary, name, cells):
    environment, words = check_form(name)
    own = [str(cells) if word == "/templates" else word for word in words[1:]]
    check_start(binary, name, image_environment() | environment, *own)


def guarded(place, check, *arguments):
    """Reports missing keys of a file as a problem of that file."""
    try:
        check(*arguments)
    except (KeyError, StopIteration, AttributeError, ValueError) as error:
        expect(False, place, "lacks something:", repr(error))


def check_compose():
    """Checks the Compose file. Returns the environment of a replica."""
    path = DEPLOY / "compose.yaml"
    run = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)],
        capture_output=True, text=True)
    expect(run.returncode == 0, path, run.stdout, run.stderr)
    services = yaml.safe_load(path.read_text())["services"]
    proxy = services["proxy"]
    replicas = {name: service for name, service in services.items() if name != "proxy"}
    expect(len(replicas) == 2, path, "replicas")
    for name, service in services.items():
        expect(service["read_only"] is True, path, name, "may write")
        expect(service["cap_drop"] == ["ALL"], path, name, "has capabilities")
        expect("no-new-privileges:true" in service["security_opt"], path, name, "may get rights")
    text = (DEPLOY / "haproxy/haproxy.cfg").read_text()
    for name, service in replicas.items():
        environment = image_environment() | service["environment"]
        check_memory(f"{path} {name}", environment, size(service["mem_limit"]))
        interval, failures = re.search(r"default-server check inter (\d+)ms fall (\d+)", text).groups()
        notice = int(interval) * int(failures) / 1000
        check_stop(f"{path} {name}", environment, seconds(service["stop_grace_period"]), notice)
        expect(f"-{name}:{environment['CELLFACTORY_PORT']}}}" in text, path, name, "is not a server of haproxy.cfg")
        expect(proxy["depends_on"][name]["condition"] == "service_healthy", path, name)
        connections = int(environment["CELLFACTORY_CONNECTIONS"])
        expect(service["ulimits"]["nofile"]["hard"] > connections, path, name, "open files")
        maxconn = int(re.search(r"default-server .*maxconn (\d+)", text).group(1))
        expect(maxconn < connections, path, name, "maxconn of haproxy.cfg")
    context = replicas["cells-1"]["build"]["context"]
    expect((DEPLOY / context / "Dockerfile").resolve() == ROOT / "Dockerfile", path, "build")
    expect((DEPLOY / proxy["volumes"][0].split(":")[0]).is_file(), path, "volumes of the proxy")
    return replicas["cells-1"]["environment"]


def check_haproxy():
    haproxy = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if not haproxy:
        return checks.skip("deploy/haproxy", "there is no haproxy")
    environment = dict(os.environ, CELLS_1="127.0.0.1:1", CELLS_2="127.0.0.1:2")
    run = subprocess.run(
        [haproxy, "-c", "-f", str(DEPLOY / "haproxy/haproxy.cfg")], capture_output=True, text=True, env=environment)
    expect(run.returncode == 0 and "WARNING" not in run.stderr, "haproxy.cfg", run.stdout, run.stderr)


def check_dockerignore():
    kept = set((ROOT / ".dockerignore").read_text().split())
    for words in re.findall(r"^COPY (?!--)(.*)", (ROOT / "Dockerfile").read_text(), re.M):
        for source in words.split()[:-1]:
            # A file is kept by its own entry, or by that of a folder above it.
            ways = [f"!{source}"] + [f"!{parent}" for parent in pathlib.PurePath(source).parents]
            expect(kept & set(ways), ".dockerignore", source)
            expect((ROOT / source).exists(), "Dockerfile", source)


def check_packages():
    """Checks that the Dockerfile installs what the Makefile installs for a build, except what its base has."""
    packages = re.search(r"^PACKAGES := (.*)", (ROOT / "Makefile").read_text(), re.M).group(1).split()
    words = set((ROOT / "Dockerfile").read_text().split())
    for package in set(packages) - {"libstdc++-12-dev"}:
        expect(package in words, "Dockerfile:", package, "is not installed")


def check_start(binary, place, environment, *arguments):
    """Checks that the server starts with these settings."""
    settings = {name: value for name, value in environment.items() if name.startswith("CELLFACTORY_")}
    settings |= {"CELLFACTORY_HOST": "127.0.0.1", "CELLFACTORY_PORT": "0"}
    if arguments or "CELLFACTORY_ARCHIVE" in settings:
        settings.pop("CELLFACTORY_ARCHIVE", None)
    known = subprocess.run([binary, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    for name in environment:
        if name.startswith("CELLFACTORY_"):
            option = "--" + name.removeprefix("CELLFACTORY_").lower().replace("_", "-")
            expect(re.search(rf"{option}\b", known), place, name, "is no setting of the server")
    server = subprocess.Popen(
        [binary, "serve", *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=ROOT, env={"PATH": os.environ["PATH"], **settings})
    line = server.stdout.readline()
    # Not SIGTERM, which goes on for the delay.
    server.send_signal(signal.SIGINT)
    errors = server.communicate(timeout=30)[1]
    expect("cannot be read" not in errors, place, "takes bodies that it cannot read:", errors)
    expect(line.startswith("listening on ") and server.returncode == 0, place, "does not start:", errors)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()

    for path in sorted([*DEPLOY.rglob("*.yaml"), *DEPLOY.rglob("*.yml")]):
        expect(kustomize.load(path), path, "is empty")
    cells = DEPLOY / "kubernetes/templates-configmap/cells"
    for name in FORMS:
        guarded(name, check_whole_form, options.binary, name, cells)
    guarded("compose.yaml", lambda: check_start(options.binary, "compose.yaml", image_environment() | check_compose()))
    check_haproxy()
    check_dockerignore()
    check_packages()
    run = subprocess.run([options.binary, "check", str(cells)], capture_output=True, text=True)
    expect(run.returncode == 0, cells, run.stderr)

    checks.end("deploy/")


main()
