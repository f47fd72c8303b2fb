"""Builds the base image of the Dockerfile locally: Debian 12 with this machine's Swift."""

import pathlib
import re
import shutil
import subprocess
import tempfile

SWIFT = "docker.io/library/swift:6.3-bookworm"

# What the official image installs beside Swift.
PACKAGES = [
    "binutils", "ca-certificates", "gcc", "git", "libc6-dev", "libcurl4-openssl-dev", "libedit-dev", "libgcc-12-dev",
    "libncurses-dev", "libpython3-dev", "libsqlite3-dev", "libstdc++-12-dev", "libxml2-dev", "pkg-config", "tzdata",
    "zlib1g-dev",
]
# Of Swift, what no build of a server needs.
LEFT_OUT = ["*lldb*", "*sourcekit*", "*docc*", "*.docc*", "usr/bin/wasm*", "usr/lib/python*", "usr/share/man"]


def run(*arguments, **options):
    subprocess.run(arguments, check=True, **options)


def output(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def is_here(name):
    return subprocess.run(["buildah", "inspect", "--type", "image", name], capture_output=True).returncode == 0


def toolchain():
    """Returns the folder that holds `usr/bin/swift`, or None."""
    swift = shutil.which("swift")
    return pathlib.Path(swift).resolve().parent.parent.parent if swift else None


def copy_sources(root):
    """Copies the machine's package sources for Debian, and its mirrors for Swift packages, to the root."""
    for name in ("etc/apt/sources.list", "etc/apt/sources.list.d"):
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).unlink(missing_ok=True)
        source = pathlib.Path("/", name)
        if source.is_dir():
            shutil.copytree(source, root / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / name)
    for source in pathlib.Path("/etc/apt/apt.conf.d").iterdir():
        if "Acquire::" in source.read_text():
            shutil.copy(source, root / "etc/apt/apt.conf.d")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    git = pathlib.Path("/etc/gitconfig")
    if git.exists():
        shutil.copy(git, root / "etc/gitconfig")
        for mirror in re.findall(r'\[url "(?:file://)?(/[^"]+)"\]', git.read_text()):
            shutil.copytree(mirror, root / mirror.lstrip("/"), symlinks=True, dirs_exist_ok=True)


def make_swift():
    """Creates the base image with the name that the Dockerfile uses."""
    with tempfile.TemporaryDirectory(prefix="cellfactory-base-") as folder:
        root = pathlib.Path(folder, "root")
        run("debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", "bookworm", str(root),
            stdout=subprocess.DEVNULL)
        copy_sources(root)
        exclusions = [f"--exclude={pattern}" for pattern in LEFT_OUT]
        archive = subprocess.Popen(
            ["tar", "--create", "--directory", str(toolchain()), *exclusions, "usr"], stdout=subprocess.PIPE)
        run("tar", "--extract", "--directory", str(root), "--keep-directory-symlink", stdin=archive.stdout)
        if archive.wait() != 0:
            raise SystemExit("Swift could not be copied")
        shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)
        container = output("buildah", "from", "scratch").strip()
        run("buildah", "add", "--quiet", container, str(root), "/", stdout=subprocess.DEVNULL)
        run("buildah", "commit", "--quiet", "--rm", container, SWIFT, stdout=subprocess.DEVNULL)
