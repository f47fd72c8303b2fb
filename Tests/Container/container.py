"""A container without an engine: a process in an image's root, started the way engines do."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

ENTER = pathlib.Path(__file__).resolve().parent / "enter.py"


class Image:
    """An image built by buildah: where its root is mounted, and how to start it."""

    def __init__(self, name):
        self.name = name
        self.container = output("buildah", "from", "--pull-never", name)
        self.root = output("buildah", "mount", self.container)
        description = json.loads(output("buildah", "inspect", "--type", "image", name))
        self.config = description["Docker"]["config"]

    def environment(self, **more):
        return dict((line.split("=", 1) for line in self.config["Env"]), **more)

    def remove(self):
        output("buildah", "rm", self.container)


def output(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.strip()


class Container:
    """A running container. It uses the machine's network."""

    def __init__(self, image, *command, mounts=None, writable=None, **environment):
        specification = {
            "root": image.root,
            "mounts": mounts or {},
            "writable": writable or {},
            "arguments": image.config["Entrypoint"] + list(command or image.config["Cmd"]),
            "environment": image.environment(**environment),
        }
        self.error_file = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--propagation", "private",
             sys.executable, str(ENTER), json.dumps(specification)],
            stdout=subprocess.PIPE, stderr=self.error_file, text=True)

    def wait_for_line(self):
        """Returns the line in which the server says where it listens."""
        return self.process.stdout.readline().strip()

    @property
    def pid(self):
        """Returns the container's process 1 by its number on the machine."""
        children = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        return int(pathlib.Path(children).read_text().split()[0])

    def send(self, number):
        os.kill(self.pid, number)

    def wait(self, seconds=30):
        """Waits for the end. Returns the exit status, or the negative number of the signal that ended it."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            raise
        return 128 - status if status > 128 else status

    @property
    def errors(self):
        self.error_file.seek(0)
        return self.error_file.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            # Not `unshare`, its parent: process 1 takes all others with it, and `unshare` ends then.
            self.send(signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()
        self.error_file.close()


def run(image, *command, **options):
    """Runs a command. Returns its status, standard output and standard error."""
    with Container(image, *command, **options) as container:
        text = container.process.stdout.read()
        return container.wait(), text, container.errors
