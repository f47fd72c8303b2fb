"""The policies that pages of the tests live under, and that they tell of whatever breaks them."""

import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Preview"))

from preview import expect  # noqa: E402
from server import until  # noqa: E402

TOLD = "policy broken:"
LISTENER = (
    "document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => "
    f"console.error('{TOLD}', effectiveDirective, blockedURI, sample))")
LOOSE = {"*", "http:", "https:", "data:", "blob:", "'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "'wasm-unsafe-eval'", "'strict-dynamic'"}
# Each breaks one directive. A default policy of Trusted Types has no say in the last.
BREAKS = {
    "style-src-attr": "document.body.setAttribute('style', 'color: red')",
    "script-src-elem": "import('data:text/javascript,').catch(() => {})",
    "require-trusted-types-for": "document.body.setAttribute('onclick', 'ran = 1')",
}


def expect_strict(policy):
    """Scripts and styles are files of named origins or have a nonce, and strings become markup only by a named policy."""
    directives = {name: values for name, *values in (part.split() for part in (policy or "").split(";") if part.strip())}
    for name in ("script-src", "style-src"):
        sources = directives.get(name, directives.get("default-src"))
        expect(sources is not None and not LOOSE & set(sources), name, "allows", sources, "in the policy", policy)
    expect(directives.get("require-trusted-types-for") == ["'script'"] and "trusted-types" in directives, "no Trusted Types in the policy", policy)


def watch(driver):
    """Lets every page of a browser tell in its log of what breaks its policy, from its first script on."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTENER})


def settle():
    """Waits for what a browser tells a while later, such as requests that break a policy."""
    time.sleep(0.3)


def log(driver):
    """What pages have said since this was asked last."""
    return [entry["message"] for entry in driver.get_log("browser") if "favicon" not in entry["message"]]


def expect_told(driver):
    """The page that is open tells of what breaks its policy: else it would be no wonder that it says nothing."""
    log(driver)
    for directive, script in BREAKS.items():
        driver.execute_script(f"try {{ {script} }} catch {{}}")
        said = []
        expect(until(lambda: said.extend(log(driver)) or any(TOLD in line and directive in line for line in said), 3),
               directive, "is broken, but the page says", said)
