#!/usr/bin/env python3
"""Compares time zones with Python's: every zone of the package tzdata, at each change from 1970 to 2100 and a second before.

  Tests/Properties/run.sh .build-python-formats Tests/Formats/zones.py

Local times, too, where a clock is changed: those that are twice, and those that are not. Some seconds.
"""

import ctypes
import datetime
import importlib.resources
import io
import os
import pathlib
import struct
import sys
import tempfile
import zoneinfo

import engine

FIRST = int(datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc).timestamp())
LAST = int(datetime.datetime(2101, 1, 1, tzinfo=datetime.timezone.utc).timestamp())
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
STEP = 6 * 86400
NAMES = (
    ("Europe/Berlin", 3600), ("europe/berlin", 3600), ("UTC", 0), ("utc", 0), ("Z", 0), ("GMT", 0), ("+02:00", 7200),
    ("-0330", -12600), ("+02", 7200), ("Etc/GMT+5", -18000), ("-00:00", 0), ("+23:59", 86340),
    ("", None), ("Europe", None), ("Europe/", None), ("../../etc/passwd", None), ("/etc/localtime", None), ("Europe/Berlin\0", None),
    ("+2", None), ("+24:00", None), ("+02:60", None), ("+02:0", None), ("+2:00", None), ("02:00", None), ("+02:000", None),
    ("+0:200", None), ("Europe/Nowhere", None), ("posixrules", None), ("right/UTC", None), ("tzdata.zi", None),
)
# Days without `J` are counted from 0 by POSIX, and J59 is 28 February in each year: Python has other days.
POSIX = (
    ("AAA0BBB,59,300/4", "1971-03-01T02:00:00"), ("AAA0BBB,59,300/4", "1972-02-29T02:00:00"),
    ("AAA0BBB,J59,J61", "1971-02-28T02:00:00"), ("AAA0BBB,J59,J61", "1972-02-28T02:00:00"),
    ("AAA0BBB,0/0,J365/23", "1973-01-01T00:00:00"), ("AAA0BBB,M2.4.2/167,M8.5.5", "1973-03-05T23:00:00"),
)
RULES = (
    "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "AAA0BBB,J60,J300", "AAA0BBB,J58,J61",
    "AAA0BBB,J61/0,J365/23", "AAA-5:30BBB-6:45,M1.2.6/0,M12.4.1/24", "AAA11BBB,M4.4.3/25:30,M9.3.4/-12",
    "AEST-10AEDT,M10.1.0,M4.1.0/3", "IST-1GMT0,M10.5.0,M3.5.0/1", "<+0330>-3:30", "UTC0", "AAA3BBB4,M2.4.2,M8.5.5/167",
)
BAD_RULES = (
    "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-26", "CET-1:60", "<CET-1", "-1", "CET-1CEST,J0,J300", "CET-1CEST,366,3", "CET-1CEST,M3.5.0,M10.5.0/169",
    "CET-1CEST,M3.5.0,M10.5.0x",
)
problems = []


def expect(condition, *words):
    if not condition and len(problems) < 30:
        problems.append(" ".join(map(str, words)))


def changes(zone):
    """The instants at which a zone's offset is another than a second before, found by halving."""
    def offset(instant):
        return (EPOCH + datetime.timedelta(seconds=instant)).astimezone(zone).utcoffset()

    found, at, here = [], FIRST, offset(FIRST)
    while at < LAST:
        following = offset(at + STEP)
        low, high = at, at + STEP
        while offset(high) != here and high - low > 1:
            middle = (low + high) // 2
            if offset(middle) == here:
                low = middle
            else:
                high = middle
        if following != here:
            found.append(high)
        at, here = at + STEP, following
    return found


def offset_of(zone, instant):
    return int((EPOCH + datetime.timedelta(seconds=instant)).astimezone(zone).utcoffset().total_seconds())


def check_zone(ours, zones, name, formatter, few=None):
    zone = zoneinfo.ZoneInfo(name)
    found = [] if few else changes(zone)
    clock = ours.clock(zones, name, 0)
    if clock is None:
        expect(False, name, "is not known")
        return 0
    instants = [instant + side for instant in found for side in (-1, 0, 1)]
    # Forth, back and across, since the last interval is remembered.
    for instant in [*instants, *reversed(instants), *(few or range(FIRST, LAST, 40 * 86400 + 12345))]:
        told, expected = ours.clock_offset(ctypes.byref(clock), instant), offset_of(zone, instant)
        expect(told == expected, name, instant, told, "not", expected)
    for instant in found:
        before, after = offset_of(zone, instant - 1), offset_of(zone, instant)
        for seconds in (min(before, after), max(before, after), (before + after) // 2, min(before, after) - 1, max(before, after) + 1):
            local = (EPOCH + datetime.timedelta(seconds=instant + seconds)).replace(tzinfo=None)
            expected = int((local.replace(tzinfo=zone) - EPOCH).total_seconds())
            # The clock's now is that instant: then the relative date is the word for now.
            there = ours.clock(zones, name, expected)
            expect(formatter.print(local.isoformat(), there) == "now", name, local, "is not", expected)
    return len(found)


def check_names(ours, zones):
    for name, offset in NAMES:
        clock = ours.clock(zones, name, 0)
        told = None if clock is None else ours.clock_offset(ctypes.byref(clock), 1_700_000_000)
        expect(told == offset, repr(name), told, "not", offset)
    without = ours.clock(None, "Europe/Berlin", 0)
    expect(without is None and ours.clock(None, "UTC", 0) is not None, "no zones at all")


def file_of(rule):
    """A zone file (RFC 9636) without changes, of one offset before its rule."""
    def block(version):
        header = struct.pack(">4s1s15x6L", b"TZif", version, 0, 0, 0, 0, 1, 4)
        return header + struct.pack(">lBB4s", 0, 0, 0, b"UTC\0")

    return block(b"2") * 2 + b"\n" + rule.encode() + b"\n"


def check_rules(ours):
    """Rules of each form, among them those that no zone has today."""
    with tempfile.TemporaryDirectory() as place:
        for index, rule in enumerate((*RULES, *BAD_RULES, *(rule for rule, _ in POSIX))):
            pathlib.Path(place, f"Rule{index}").write_bytes(file_of(rule))
        zones = ours.zones_load(place.encode())
        for index, rule in enumerate(RULES):
            try:
                zone = zoneinfo.ZoneInfo.from_file(io.BytesIO(file_of(rule)))
            except ValueError:
                # Older ones read no hours of three digits. POSIX has one, too.
                expect("/167" in rule, rule, "is not read by Python")
                continue
            clock = ours.clock(zones, f"Rule{index}", 0)
            if clock is None:
                expect(False, rule, "is not read")
                continue
            # Not near New Year, where Python takes the rule of the year in UTC.
            for instant in range(FIRST + 400 * 86400, FIRST + 4000 * 86400, 3600):
                told, expected = ours.clock_offset(ctypes.byref(clock), instant), offset_of(zone, instant)
                expect(told == expected, rule, instant, told, "not", expected)
        for index in range(len(RULES), len(RULES) + len(BAD_RULES)):
            expect(ours.clock(zones, f"Rule{index}", 0) is None, (*RULES, *BAD_RULES)[index], "is read")
        for index, (rule, start) in enumerate(POSIX, len(RULES) + len(BAD_RULES)):
            clock, instant = ours.clock(zones, f"Rule{index}", 0), int((datetime.datetime.fromisoformat(start + "Z") - EPOCH).total_seconds())
            told = [ours.clock_offset(ctypes.byref(clock), instant + side) for side in (-1, 0)]
            expect(told == [0, 3600], rule, start, told)
        ours.zones_free(zones)


def check_folders(ours, folder):
    """Folders that are none, empty, or hold damaged files."""
    expect(ours.zones_load(b"/nowhere") is None, "a folder that is not there")
    whole = pathlib.Path(folder, "Europe/Berlin").read_bytes()
    with tempfile.TemporaryDirectory() as place:
        expect(ours.zones_load(place.encode()) is None, "an empty folder")
        pathlib.Path(place, "Good").write_bytes(whole)
        os.symlink("Good", pathlib.Path(place, "Link"))
        os.symlink(".", pathlib.Path(place, "Loop"))
        os.mkfifo(pathlib.Path(place, "Pipe"))
        for count in range(0, len(whole), 7):
            pathlib.Path(place, f"Cut{count}").write_bytes(whole[:count])
        pathlib.Path(place, "Long").write_bytes(whole + bytes(70_000))
        zones = ours.zones_load(place.encode())
        expect(ours.zones_count(zones) == 2, "zones among damaged files:", ours.zones_count(zones))
        ours.zones_free(zones)


def main():
    folder = str(importlib.resources.files("tzdata").joinpath("zoneinfo"))
    zoneinfo.reset_tzpath([folder])
    ours = engine.Engine()
    zones = ours.zones_load(folder.encode())
    names = sorted(zoneinfo.available_timezones() - {"localtime"})
    formatter = ours.formatter("en", engine.RELATIVE, length=engine.LONG)
    found, seen = 0, set()
    for name in names:
        contents = pathlib.Path(folder, name).read_bytes()
        # Other names of a zone: whether they lead to it.
        instants = range(FIRST, LAST, 400 * 86400) if contents in seen else None
        found += check_zone(ours, zones, name, formatter, instants)
        seen.add(contents)
    check_names(ours, zones)
    check_folders(ours, folder)
    check_rules(ours)
    print(f"zones: {len(names)} names of {len(seen)} zones, {found:,} changes, {ours.zones_bytes(zones):,} bytes; {len(problems)} problems")
    system = ours.zones_load(b"/usr/share/zoneinfo")
    if system:
        print(f"/usr/share/zoneinfo: {ours.zones_count(system)} names, {ours.zones_bytes(system):,} bytes,"
              f" version {ours.zones_version(system).decode()}")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
