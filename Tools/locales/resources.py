"""Reads ICU's resource bundles and currency names through the C interface of the libraries that PyICU brings."""

import ctypes
import pathlib

import icu

VERSION = icu.ICU_VERSION.split(".")[0]
LIBRARIES = pathlib.Path(icu.__file__).resolve().parent.parent / "pyicu_wheels.libs"
COMMON = ctypes.CDLL(str(next(LIBRARIES.glob("libicuuc-*"))))
INTERNATIONAL = ctypes.CDLL(str(next(LIBRARIES.glob("libicui18n-*"))))

POINTER = ctypes.c_void_p
NUMBER = ctypes.c_int32
NUMBERS = ctypes.POINTER(NUMBER)
UNITS = ctypes.POINTER(ctypes.c_uint16)
STRING, BINARY, TABLE, INTEGER, VECTOR = 0, 1, 2, 7, 14


def function(library, name, result, *parameters):
    found = getattr(library, f"{name}_{VERSION}")
    found.restype, found.argtypes = result, parameters
    return found


OPEN = function(COMMON, "ures_openDirect", POINTER, ctypes.c_char_p, ctypes.c_char_p, NUMBERS)
SIZE = function(COMMON, "ures_getSize", NUMBER, POINTER)
TYPE = function(COMMON, "ures_getType", ctypes.c_int, POINTER)
KEY = function(COMMON, "ures_getKey", ctypes.c_char_p, POINTER)
ITEM = function(COMMON, "ures_getByIndex", POINTER, POINTER, NUMBER, POINTER, NUMBERS)
AS_STRING = function(COMMON, "ures_getString", UNITS, POINTER, NUMBERS, NUMBERS)
AS_BINARY = function(COMMON, "ures_getBinary", ctypes.POINTER(ctypes.c_uint8), POINTER, NUMBERS, NUMBERS)
AS_VECTOR = function(COMMON, "ures_getIntVector", NUMBERS, POINTER, NUMBERS, NUMBERS)
AS_INTEGER = function(COMMON, "ures_getInt", NUMBER, POINTER, NUMBERS)
CURRENCY_NAME = function(
    COMMON, "ucurr_getName", UNITS, UNITS, ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int8), NUMBERS, NUMBERS)
CURRENCY_DIGITS = function(COMMON, "ucurr_getDefaultFractionDigits", NUMBER, UNITS, NUMBERS)
CURRENCIES = function(COMMON, "ucurr_openISOCurrencies", POINTER, ctypes.c_uint32, NUMBERS)
NEXT = function(COMMON, "uenum_next", ctypes.c_char_p, POINTER, NUMBERS, NUMBERS)
ALL_CURRENCIES = 0x7FFFFFFF
SYMBOL, NARROW_SYMBOL = 0, 2


def check(error):
    if error.value > 0:
        raise ValueError(f"ICU's error {error.value}")


def text_of(units, count):
    return bytes(ctypes.cast(units, ctypes.POINTER(ctypes.c_uint8))[: 2 * count]).decode("utf-16-le")


def value_of(resource):
    error, count = NUMBER(0), NUMBER(0)
    kind = TYPE(resource)
    if kind == STRING:
        return text_of(AS_STRING(resource, ctypes.byref(count), ctypes.byref(error)), count.value)
    if kind == BINARY:
        return bytes(AS_BINARY(resource, ctypes.byref(count), ctypes.byref(error))[: count.value])
    if kind == INTEGER:
        return AS_INTEGER(resource, ctypes.byref(error))
    if kind == VECTOR:
        return list(AS_VECTOR(resource, ctypes.byref(count), ctypes.byref(error))[: count.value])
    items = [ITEM(resource, index, None, ctypes.byref(error)) for index in range(SIZE(resource))]
    check(error)
    if kind == TABLE:
        return {KEY(item).decode(): value_of(item) for item in items}
    return [value_of(item) for item in items]


def bundle(name, tree=None):
    """All that a bundle holds, without what it inherits; null if there is none."""
    error = NUMBER(0)
    folder = f"icudt{VERSION}l-{tree}".encode() if tree else None
    resource = OPEN(folder, name.encode(), ctypes.byref(error))
    return value_of(resource) if error.value <= 0 else None


def currencies():
    """The codes of all currencies, past ones too."""
    error, count, codes = NUMBER(0), NUMBER(0), []
    listed = CURRENCIES(ALL_CURRENCIES, ctypes.byref(error))
    while code := NEXT(listed, ctypes.byref(count), ctypes.byref(error)):
        codes.append(code.decode())
    check(error)
    return sorted(codes)


def units_of(code):
    return (ctypes.c_uint16 * 4)(*code.encode("ascii"), 0)


def currency_symbol(locale, code, style):
    error, count, is_choice = NUMBER(0), NUMBER(0), ctypes.c_int8(0)
    # What has no name is its own: ICU returns the code that it was given.
    units = units_of(code)
    name = CURRENCY_NAME(
        units, locale.encode(), style, ctypes.byref(is_choice), ctypes.byref(count), ctypes.byref(error))
    check(error)
    return text_of(name, count.value)


def currency_digits(code):
    error = NUMBER(0)
    digits = CURRENCY_DIGITS(units_of(code), ctypes.byref(error))
    check(error)
    return digits
