"""The strings that are tried at every place of a template, the same in every run."""

import itertools
import json
import os
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# What everyday data holds, beside the attacks.
PLAIN = [
    "", "x", "Ada Lovelace", "Fish & Chips", "5 < 6 > 4", "\"quoted\" and 'quoted'", "naïve café", "日本語", "🙂", "a\nb",
    "a\r\nb", "a\rb", "\n", "\r", "\r\n", "\n\n", "\t", " ", "  two  ", "0", "-1.5e3", "true", "null", "50%", "12.5px", "#ff0000",
    "2x", "100w", "a.png", "/a/b.png", "a.png 1x, b.png 2x", "https://example.com/?a=b&c=d#e", "mailto:a@example.com",
    "tel:+49-30-123", "#top", "?q=1", "//cdn.example/x", "../up", "./here", "a:b", "12:30", "C:\\x", "e\u0301", "\ufeff", "\u2028",
    "\u2029", "\u00a0", "\u200b", "\ufffd", "\uffff", "\U0010ffff", "\x7f", "\x80", "\x85", "\x0b", "\x0c", "\x1f", "\0", "\0\0", "a\0b",
]

SCRIPTS = [
    "<script>alert(1)</script>", "<ScRiPt>alert(1)</sCrIpT>", "<script src=//evil.example></script>", "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg/onload=alert(1)>", "<svg><animate onbegin=alert(1) attributeName=x>",
    "<body onload=alert(1)>", "<iframe srcdoc='<script>parent.alert(1)</script>'>", "<iframe src=javascript:alert(1)>",
    "<a href=javascript:alert(1)>x</a>", "<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>", "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>", "<video><source onerror=alert(1)></video>", "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>", "<form action=javascript:alert(1)><input type=submit></form>", "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>", "<link rel=stylesheet href=//evil.example>",
    "<style>@import '//evil.example'</style>", "<template><script>alert(1)</script></template>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<xmp><img src=x onerror=alert(1)></xmp>", "<plaintext>", "<!--", "-->", "--!>", "<!-->", "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>", "]]><img src=x onerror=alert(1)>", "<?xml version=1?>", "<!doctype html>", "</p>", "</div><p>", "</",
    "<", "<a", "<a ", "<a/", "</textarea><img src=x onerror=alert(1)>", "</title><img src=x onerror=alert(1)>", "</TEXTAREA\t>x", "</style><script>alert(1)</script>",
    "</option></select><img src=x onerror=alert(1)>", "<tr><td>x", "<select><option>", "<!--<script>", "<!--<script>alert(1)//-->",
    "\"><img src=x onerror=alert(1)>", "'><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)", "` onmouseover=`alert(1)",
    " onmouseover=alert(1) ", "x onmouseover=alert(1)", "\"onfocus=alert(1) autofocus=\"", "\" autofocus onfocus=alert(1) x=\"", "\"/onclick=alert(1)/\"",
    "\" style=\"position:fixed;inset:0\" onclick=\"alert(1)", "&quot;><img src=x onerror=alert(1)>", "&#34; onclick=&#34;alert(1)", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&amp;lt;", "&", "&#", "&#x", "&#x3c;", "&#60", "&lt", "&notit;", "&colon;", "&NewLine;", "&Tab;", "{{v}}", "{{{v}}}", "{{#v}}", "${alert(1)}", "`${alert(1)}`",
    "';alert(1)//", "\";alert(1)//", "\\';alert(1)//", "\\\";alert(1)//", "*/alert(1)/*", "\nalert(1)//", "\u2028alert(1)//", "alert(1)", "{\"a\":1}", "[1]", "//", "/*",
    "\" x=\"", "=", "==", "a=b", "/", "/>", ">", "'", "\"", "`", "\\", "\\\"", "\\u003cscript>", "\xc0\xbcscript>", "\uff1cscript\uff1ealert(1)", "+ADw-script+AD4-",
]

# Each is written in every disguise.
SCHEMES = ["javascript", "vbscript", "data", "livescript", "blob", "filesystem", "view-source", "about", "file", "jar", "feed", "myapp"]


def disguises(scheme):
    bodies = {"data": "text/html,<script>alert(1)</script>", "view-source": "javascript:alert(1)", "feed": "javascript:alert(1)"}
    body = bodies.get(scheme, "alert(1)")
    middle = len(scheme) // 2
    first, second = scheme[:middle], scheme[middle:]
    for colon in [":", "\t:", "\n:", ":\t", "&colon;", "%3A", "\\:", "\0:", "\uff1a", "\u2236"]:
        yield scheme + colon + body
    for between in ["\t", "\n", "\r", "\r\n", "\0", " ", "\x0b", "\x0c", "\x01", "\xad", "\u200b", "&#9;", "&Tab;", "&NewLine;", "/**/", "%0a", "%00"]:
        yield first + between + second + ":" + body
    for before in [" ", "\t", "\n", "\r", "\0", "\x01", "\x1f", "\x0b", "\x0c", "\x7f", "\x80", "\xa0", "\u2028", "\ufeff", "&#1;", "%20", "x", "-", "url:", "./", "/", "//", "?", "#"]:
        yield before + scheme + ":" + body
    yield scheme.upper() + ":" + body
    yield scheme.title() + ":" + body
    yield scheme.replace("s", "\u017f").replace("i", "\u0131") + ":" + body
    yield scheme + "://%0aalert(1)"
    yield scheme + ":"
    yield scheme


def schemes():
    return [text for scheme in SCHEMES for text in disguises(scheme)]


URLS = [
    "//evil.example", "/\\evil.example", "\\\\evil.example", "\\/evil.example", "///evil.example", "/\t/evil.example", "/\n\\evil.example", "\t//evil.example",
    " //evil.example", "\0//evil.example", "/%2Fevil.example", "/%5Cevil.example", "/./", "/.", ".", "..", "../..//evil.example", ".//evil.example", "/.//evil.example",
    "@evil.example", ":80@evil.example", ":@evil.example/", "evil.example", "http:evil.example", "https:/evil.example", "https:\\\\evil.example", "http:///evil.example",
    "http://[::1]/", "http://[", "http://a b/", "http://%zz/", "https://user:pass@evil.example/", "HTTPS://EVIL.example", "ht\ntps://evil.example", "https\t://evil.example",
    "?//evil.example", "#//evil.example", "%", "%4", "%41", "%zz", "%00", "%0d%0aSet-Cookie:x", "\r\nSet-Cookie:x", "a b", "a+b", "a,b", ",", ",,", ", ", "a.png,", "a.png ,", "a.png, javascript:alert(1)",
    "a.png 2x,javascript:alert(1) 3x", "a.png,javascript:alert(1)", "a.png (1x, 2x), javascript:alert(1)", "a.png 2x\t,\njavascript:alert(1)", ",javascript:alert(1)", "\x01,javascript:alert(1)",
    "a.png 2x\" onerror=\"alert(1)", "/a javascript:alert(1)", "javascript:alert(1) /a", "#", "#x", "##", "# ", "x#y", "use.svg#x", "data:image/svg+xml,<svg onload=alert(1)>#x",
    "red;background:url(javascript:alert(1))", "expression(alert(1))", "url(javascript:alert(1))", "red}body{color:red", "/*", "*/", "red/*", "\\65xpression(alert(1))", "red !important",
    "red\nx:y", "@import 'x'", "<!--", "-->", "--x", "behavior:url(x)", "-moz-binding:url(x)", "var(--x)", "'red'", "\"red\"", "r\\65 d", "#000;x:y", "1;--a:b",
]

# Each is put before and behind every naughty string and attack.
EDGES = list("<>&\"'`\\/:;,#?%()=-! \t\n\r\0") + ["\x01", "\x7f", "\xa0", "é", "\u2028", "\ufeff", "🙂", "{{", "}}", "--", "//", "a", "9"]


def naughty():
    """Returns the list of naughty strings. If the file is missing, prints a message and returns nothing."""
    standard = ROOT.parent / "shared/naughty-strings/blns.json"
    path = pathlib.Path(os.environ.get("CELLFACTORY_NAUGHTY_STRINGS", standard))
    if not path.exists():
        print("the naughty strings are not there (CELLFACTORY_NAUGHTY_STRINGS names their file): without them")
        return []
    return json.loads(path.read_text(encoding="utf-8"))


def noise(count):
    """Returns random bytes as valid UTF-8, and random strings of special characters."""
    numbers = random.Random(20)
    strings = []
    for _ in range(count):
        length = numbers.randrange(1, 40)
        if numbers.random() < 0.5:
            strings.append(numbers.randbytes(length).decode("utf-8", "replace"))
        else:
            strings.append("".join(numbers.choice(EDGES + list("abjs:/.019")) for _ in range(length)))
    return strings


def base():
    """Returns all strings once, except those of `edged`."""
    strings = PLAIN + SCRIPTS + schemes() + URLS + naughty() + noise(400)
    return [text for text in dict.fromkeys(strings) if is_text(text)]


def edged(strings):
    """Yields every string with each special character before and after it."""
    for text in strings:
        for edge in EDGES:
            yield edge + text
            yield text + edge


def some_edged(strings, count, number):
    """Returns about `count` strings spread over `edged`; each number selects others."""
    every = len(strings) * len(EDGES) * 2 // count
    return list(itertools.islice(edged(strings), number * 7 % every, None, every))


def is_text(text):
    """Whether the string has no lone surrogates, which UTF-8 cannot encode."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
