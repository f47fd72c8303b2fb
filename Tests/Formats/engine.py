"""The engine of formats as a library that Python calls: Sources/CFormats, built by Swift's own clang."""

import ctypes
import fcntl
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "Sources/CFormats"
FLAGS = ["-std=gnu17", "-O2", "-g", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}/include"]

NUMBER, PERCENT, CURRENCY, DATE, TIME, DATETIME, RELATIVE, LIST, PLURAL = range(9)
SHORT, MEDIUM, LONG, FULL, MONTH_DAY, YEAR_MONTH, WEEKDAY, MONTH_DAY_WEEKDAY, YEAR = range(9)
STANDARD, NARROW, CODE = range(3)
AUTO = 255
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
TAG_BYTES = 35


class Format(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint8) for name in (
        "kind", "length", "minimum_digits", "maximum_digits", "always_sign", "symbol", "epoch", "variant")] + [
        ("currency", ctypes.c_char * 4)]


class Tag(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * (TAG_BYTES + 1)), ("count", ctypes.c_uint8), ("wants_latin_digits", ctypes.c_bool)]


class Words(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class Interval(ctypes.Structure):
    _fields_ = [("start", ctypes.c_int64), ("end", ctypes.c_int64), ("offset", ctypes.c_int32)]


class Subtags(ctypes.Structure):
    _fields_ = [("language", ctypes.c_char * 9), ("script", ctypes.c_char * 5), ("region", ctypes.c_char * 4), ("given", ctypes.c_uint8)]


class Offer(ctypes.Structure):
    _fields_ = [("subtags", Subtags), ("is_paradigm", ctypes.c_bool), ("is_of_same_language", ctypes.c_bool)]


class Truncation(ctypes.Structure):
    _fields_ = [
        ("at", ctypes.c_size_t), ("characters", ctypes.c_size_t), ("last_word", ctypes.c_size_t),
        ("before_blank", ctypes.c_size_t), ("has_blank", ctypes.c_bool)]


class Clock(ctypes.Structure):
    _fields_ = [
        ("now", ctypes.c_int64), ("zones", ctypes.c_void_p), ("zone", ctypes.c_uint32), ("intervals", Interval * 8)]


# Pointer, size, text, and others by their letters.
TYPES = {
    "p": ctypes.c_void_p, "z": ctypes.c_size_t, "s": ctypes.c_char_p, "b": ctypes.c_bool, "i": ctypes.c_int32,
    "u": ctypes.c_uint32, "l": ctypes.c_int64, "w": Words, "n": None,
}
FUNCTIONS = {
    "cf_pack_all": "p", "cf_pack_version": "wp", "cf_pack_bake": "zppzpz", "cf_pack_open": "bpzp", "cf_tag_read": "bszp",
    "cf_pack_tag": "ppup", "cf_pack_find": "ipp", "cf_pack_nearest": "upp", "cf_pack_parent": "upu",
    "cf_pack_offer": "nppzp", "cf_match": "ipzzpzp", "cf_pack_is_right_to_left": "bpu", "cf_format_is_valid": "bp",
    "cf_formatter_make": "zpubppz", "cf_formatter_bound": "zp", "cf_formatter_is_plain": "bp", "cf_zones_load": "ps",
    "cf_zones_count": "zp", "cf_zones_bytes": "zp", "cf_zones_version": "sp", "cf_zones_free": "pp",
    "cf_clock_start": "bppszl", "cf_clock_offset": "ipl", "cf_read_instant": "bszp", "cf_print": "ipszszpp",
    "cf_print_machine": "ipszp", "cf_plural": "ipsz", "cf_plural_of_count": "ipl", "cf_list_words": "wpzzsz",
    "cf_truncate": "bpszzp",
}


def clang():
    """Swift's own, which embeds files; Debian's gcc does not."""
    swift = shutil.which("swift")
    beside = pathlib.Path(os.path.realpath(swift)).parent / "clang" if swift else None
    return str(beside) if beside and beside.exists() else "clang"


def build(target, *flags, main=None):
    """Builds a library, or with a main file a program, unless it is newer than what it is made of."""
    target.parent.mkdir(parents=True, exist_ok=True)
    sources = [*SOURCES.glob("*.c"), *([main] if main else [])]
    parts = [*sources, *SOURCES.rglob("*.h"), SOURCES / "locales.bin", pathlib.Path(__file__)]
    # Tests run side by side: one of them builds.
    with open(f"{target}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if target.exists() and target.stat().st_mtime > max(part.stat().st_mtime for part in parts):
            return
        # Debian's linkers warn of parts of clang's sanitizers.
        subprocess.run([
            clang(), "-fuse-ld=lld", *FLAGS, *flags, *([] if main else ["-shared", "-fPIC"]), *sorted(map(str, sources)),
            "-o", f"{target}.new"], check=True)
        os.replace(f"{target}.new", target)


class Engine:
    def __init__(self, folder=ROOT / ".build-formats"):
        target = folder / "libformats.so"
        build(target)
        library = ctypes.CDLL(str(target))
        for name, types in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, *function.argtypes = [TYPES[letter] for letter in types]
            setattr(self, name.removeprefix("cf_"), function)
        self.pack = self.pack_all()

    def locale(self, text):
        """The index of a tag's locale; -1 if the tag is malformed or there is none."""
        tag = self.tag(text)
        return self.pack_find(self.pack, ctypes.byref(tag)) if tag else -1

    def tag(self, text):
        tag, encoded = Tag(), text.encode()
        return tag if self.tag_read(encoded, len(encoded), ctypes.byref(tag)) else None

    def kept(self, text, limit):
        """The bytes of a text that are kept of at most so many characters."""
        reading, kept = Truncation(), ctypes.c_size_t()
        while not self.truncate(ctypes.byref(reading), text, len(text), limit, ctypes.byref(kept)):
            pass
        return kept.value

    def tag_of(self, locale):
        tag = Tag()
        self.pack_tag(self.pack, locale, ctypes.byref(tag))
        return tag.text.decode()

    def formatter(self, locale, kind, **options):
        return Formatter(self, locale, kind, **options)

    def clock(self, zones, zone, now):
        clock, name = Clock(), zone.encode()
        return clock if self.clock_start(ctypes.byref(clock), zones, name, len(name), now) else None


class PackTable(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("count", ctypes.c_size_t)] + [
        (name, ctypes.c_uint32) for name in (
            "string_count", "group_count", "locale_count", "strings", "string_bytes", "groups", "ids", "locales")]


class Pack:
    """A pack that was opened on bytes of its own."""

    def __init__(self, engine, table, contents):
        self.engine, self.table, self.contents = engine, table, contents
        self.memory = ctypes.byref(table)

    @classmethod
    def open(cls, engine, contents):
        table = PackTable()
        return cls(engine, table, contents) if engine.pack_open(contents, len(contents), ctypes.byref(table)) else None

    def locale(self, text):
        tag = self.engine.tag(text)
        return self.engine.pack_find(self.memory, ctypes.byref(tag))


class Formatter:
    """A formatter with room for what it prints. Prints null for a misfit."""

    def __init__(self, engine, locale, kind, latin=False, length=0, digits=None, currency="", epoch=0, sign=False, symbol=0,
                 variant=0, pack=None):
        is_number = kind in (NUMBER, PERCENT, CURRENCY)
        least, most = digits or ((AUTO, AUTO) if is_number else (0, 0))
        form = Format(kind, length, least, most, sign, symbol, epoch, variant, currency.encode())
        self.engine, self.format = engine, form
        assert engine.format_is_valid(ctypes.byref(form))
        index = engine.locale(locale) if isinstance(locale, str) else locale
        assert index >= 0, locale
        pack = pack or engine.pack
        size = engine.formatter_make(pack, index, latin, ctypes.byref(form), None, 0)
        assert size > 0
        self.memory = (ctypes.c_uint64 * (size // 8))()
        self.size = size
        assert engine.formatter_make(pack, index, latin, ctypes.byref(form), self.memory, size) == size
        self.bound = engine.formatter_bound(self.memory)
        self.target = ctypes.create_string_buffer(self.bound + 1)

    def print(self, value, clock=None, code=None):
        value = value.encode() if isinstance(value, str) else value
        count = self.engine.print(
            self.memory, value, len(value), code, len(code or b""), ctypes.byref(clock) if clock else None, self.target)
        return None if count < 0 else self.target[:count].decode()

    def machine(self, value):
        target = ctypes.create_string_buffer(max(32, len(value)))
        count = self.engine.print_machine(ctypes.byref(self.format), value.encode(), len(value), target)
        return None if count < 0 else target[:count].decode()

    def plural(self, value):
        return CATEGORIES[self.engine.plural(self.memory, value.encode(), len(value))]

    def join(self, items):
        text = b""
        encoded = [item.encode() for item in items]
        for index in range(len(items) + 1):
            following = encoded[index] if index < len(items) else None
            words = self.engine.list_words(self.memory, index, len(items), following, len(following or b""))
            text += ctypes.string_at(words.bytes, words.count) + (following or b"")
        return text.decode()
