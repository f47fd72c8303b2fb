"""Collects templates to compare builds with: those in templates/, and those that are written in the Swift tests."""

import pathlib
import re
import shutil
import subprocess
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# An entry of a Swift dictionary from a file's path to its text: `"a/b.html": "<p>{{c}}</p>"`. A text that is computed
# does not match.
ENTRY = re.compile(
    r'"(?P<path>[\w/.-]+\.(?:mustache|html))":\s*'
    r'(?:(?P<hash>#*)"(?!"")(?P<line>(?:\\.|[^"\\\n])*?)"(?P=hash)|"""\n(?P<lines>(?:(?!""").|\n)*?)[ ]*""")\s*[,\]\n]')
ESCAPE = re.compile(r"\\(?:u\{(\w+)\}|(.))")
NAMED_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\"": "\"", "\\": "\\", "'": "'"}
# What `check` prints: PATH:LINE:COLUMN: error: WORDS
COMPLAINT = re.compile(r"^(.+?):\d+(?::\d+)?: error", re.MULTILINE)


def write_groups(folder, binaries):
    """Yields a folder for each group of templates that all binaries accept, by name. What one of them refuses is left out."""
    own = pathlib.Path(folder, "templates")
    shutil.copytree(ROOT / "templates", own)
    yield "templates", own
    for source in sorted((ROOT / "Tests").rglob("*.swift")):
        for number, texts in enumerate(groups(source.read_text(encoding="utf-8"))):
            group = pathlib.Path(folder, f"{source.stem}-{number}")
            for path, text in texts.items():
                (group / path).parent.mkdir(parents=True, exist_ok=True)
                (group / path).write_text(text, encoding="utf-8", newline="")
            if leave_accepted(group, binaries):
                yield group.name, group


def groups(source):
    """The templates of a Swift file. A path that has a second text begins the next group."""
    found = [{}]
    for entry in ENTRY.finditer(source):
        text = content(entry)
        if text is None:
            continue
        if found[-1].get(entry["path"], text) != text:
            found.append({})
        found[-1][entry["path"]] = text
    return [texts for texts in found if texts]


def content(entry):
    """The text of a literal; None if values are interpolated."""
    raw = textwrap.dedent(entry["lines"]).removesuffix("\n") if entry["lines"] is not None else entry["line"]
    if entry["hash"]:
        return raw
    if re.search(r"(?<!\\)(?:\\\\)*\\\(", raw):
        return None
    return ESCAPE.sub(lambda each: chr(int(each[1], 16)) if each[1] else NAMED_ESCAPES.get(each[2], each[0]), raw)


def leave_accepted(group, binaries):
    """Removes the files that a binary complains about, until none does. False if nothing is left."""
    while any(path.is_file() for path in group.rglob("*")):
        runs = [subprocess.run([binary, "check", group], capture_output=True, text=True, timeout=60) for binary in binaries]
        if all(run.returncode == 0 for run in runs):
            return True
        refused = {pathlib.Path(name) for run in runs if run.returncode for name in COMPLAINT.findall(run.stdout + run.stderr)}
        if not any(path.is_file() for path in refused):
            return False
        for path in refused:
            path.unlink(missing_ok=True)
    return False
