"""Relative dates by the contract, with Python's calendar: how far a date is away, in which unit."""

import calendar
import datetime


def moved(when, months):
    """A date so many months later, on the last day of a month that is too short."""
    total = when.year * 12 + when.month - 1 + months
    year, month = total // 12, total % 12 + 1
    if not 1 <= year <= 9999:
        return None
    return when.replace(year=year, month=month, day=min(when.day, calendar.monthrange(year, month)[1]))


def months_between(now, then):
    """The whole months from one to the other, below 0 for the past."""
    sign = 1 if then >= now else -1
    count = abs((then.year - now.year) * 12 + then.month - now.month)
    while count > 0:
        there = moved(now, sign * count)
        if there is not None and (there <= then if sign > 0 else there >= then):
            break
        count -= 1
    return sign * count


def cut(number, by):
    return int(number / by) if abs(number) < 2**52 else number // by


def distance(now, then, seconds):
    """The unit and the count, of two local times that are so many seconds apart."""
    months = months_between(now, then)
    if abs(months) >= 12:
        return "YEAR", cut(months, 12)
    if months:
        return "MONTH", months
    for unit, size in (("WEEK", 604800), ("DAY", 86400), ("HOUR", 3600), ("MINUTE", 60)):
        if abs(seconds) >= size:
            return unit, cut(seconds, size)
    return ("SECOND", seconds) if seconds else ("now", 0)


def days_apart(today, day):
    """As `distance`, of a date alone."""
    seconds = (day - today).days * 86400
    if seconds == 0:
        return "today", 0
    midnight = datetime.time()
    return distance(datetime.datetime.combine(today, midnight), datetime.datetime.combine(day, midnight), seconds)
