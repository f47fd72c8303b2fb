/// Formats: numbers, money, dates, lists and plurals as readers of a locale expect them, from the tables of CLDR.
///
/// Nothing here uses a locale of the C library, or floating point: digits are text from end to end. What is printed is
/// plain UTF-8 without escapes, so callers escape it for its place; `cf_formatter_is_plain` says when they need not.
/// Printing allocates nothing. Only `cf_zones_load` does, and reads files.
///
/// How they belong together:
///
///     cf_pack (locale tables)  --cf_formatter_make(locale, format)-->  cf_formatter  --cf_print(value, clock)-->  text
///     cf_zones (time zones)    --cf_clock_start(zone name, now)----->  cf_clock -----------^
#ifndef CF_FORMATS_H
#define CF_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define CF_MAYBE _Nullable
#else
#define CF_MAYBE
#endif

// MARK: Packs of locale tables

/// The tables of some locales: bytes without pointers, which can be stored and read back anywhere. The program holds
/// one with every locale of CLDR (`cf_pack_all`); an archive bakes one with the locales that it offers
/// (`cf_pack_bake`). Locale 0 of each pack is the root, `und`, whose tables the others fall back to; the others are
/// sorted by tag.
///
/// Valid as long as the bytes that it was opened on. May be used by many threads.
typedef struct cf_pack {
  const uint8_t *bytes;
  size_t count;
  uint32_t string_count;
  uint32_t group_count;
  uint32_t locale_count;
  uint32_t strings;
  uint32_t string_bytes;
  uint32_t groups;
  uint32_t ids;
  uint32_t locales;
} cf_pack;

/// The pack of all locales, part of the program. Cost: constant.
const cf_pack *cf_pack_all(void);

/// Opens a pack, and verifies each offset, length, id and string in it. Whatever the bytes are, the other functions
/// read nothing outside of them, and what is printed is UTF-8 within the bounds stated here.
///
/// - Parameter bytes: need no alignment.
/// - Returns: false if the bytes are no pack; `pack` is not usable then.
/// - Cost: linear.
bool cf_pack_open(const uint8_t *bytes, size_t count, cf_pack *pack);

/// Some bytes of a pack or a formatter, valid as long as it stays where it is.
typedef struct cf_words {
  const uint8_t *bytes;
  size_t count;
} cf_words;

/// The version of CLDR that the tables are from, such as `47`.
cf_words cf_pack_version(const cf_pack *pack);

/// Writes a pack with the root and some locales.
///
/// - Parameters:
///   - locales: indexes in `pack`, in any order; twice the same is once.
///   - target: null to learn the size only.
///   - capacity: bytes at `target`.
/// - Returns: the bytes of the new pack; it was written if that is at most `capacity`. 0 if memory is short.
/// - Cost: linear in the pack. Allocates, and frees what it allocated.
size_t cf_pack_bake(
    const cf_pack *pack, const uint32_t *locales, size_t count, uint8_t *CF_MAYBE target, size_t capacity);

/// The most bytes of a tag, such as `ca-ES-valencia`, its final zero not counted.
#define CF_TAG_BYTES 35

/// A language tag in its usual letters: `de-AT`, `zh-Hant`. Of extensions only `-u-nu-latn` is kept, as a flag.
typedef struct cf_tag {
  /// Without extensions. Ends with a zero.
  char text[CF_TAG_BYTES + 1];
  uint8_t count;
  /// Whether Western digits are asked for.
  bool wants_latin_digits;
} cf_tag;

/// Reads a language tag: BCP 47 (RFC 5646, section 2.1), any case, `_` not allowed. Extensions and private use are
/// skipped. Old names of languages are brought to those that CLDR has: `iw` is `he`. Variants that do not fit are dropped.
/// Returns false if it is malformed, or longer than 255 bytes.
bool cf_tag_read(const uint8_t *bytes, size_t count, cf_tag *tag);

/// The tag of a locale in a pack. `locale` is below `pack->locale_count`.
void cf_pack_tag(const cf_pack *pack, uint32_t locale, cf_tag *tag);

/// The index of the locale of exactly this tag, a script that goes without saying left out or not: `zh-TW` is
/// `zh-Hant-TW`. Returns -1 if there is none. Cost: logarithmic.
int32_t cf_pack_find(const cf_pack *pack, const cf_tag *tag);

/// The index of the locale whose tables a tag uses: its own, else of its nearest parent in the pack, else of the
/// root, 0. Never another language. Cost: logarithmic, for each parent.
uint32_t cf_pack_nearest(const cf_pack *pack, const cf_tag *tag);

/// The locale that a locale inherits from, by CLDR's rules: `de-AT` has `de`, `es-MX` has `es-419`. Both in `pack`:
/// parents that it lacks are passed over. The root's is the root, 0.
uint32_t cf_pack_parent(const cf_pack *pack, uint32_t locale);

/// Whether two locales are of the same language and script, so that what is offered in one can be formatted for the
/// other's region.
bool cf_pack_is_same_language(const cf_pack *pack, uint32_t left, uint32_t right);

/// Whether a locale's script is written from right to left.
bool cf_pack_is_right_to_left(const cf_pack *pack, uint32_t locale);

/// A language, a script and a region, each ending with a zero. `given` says which of them a tag had itself and likely
/// subtags did not replace: 4, 2, 1.
typedef struct cf_subtags {
  char language[9];
  char script[5];
  char region[4];
  uint8_t given;
} cf_subtags;

/// An offered locale, ready to be compared with what readers want.
typedef struct cf_offer {
  cf_subtags subtags;
  /// Whether it is preferred to others of its language (CLDR's paradigm locales): `en`, `en-GB`, `es-419`.
  bool is_paradigm;
  /// Whether it is of the same language as the offer before it.
  bool is_of_same_language;
} cf_offer;

/// Makes locales of a pack ready to be offered. `offers` has room for `count`.
void cf_pack_offer(const cf_pack *pack, const uint32_t *locales, size_t count, cf_offer *offers);

/// Chooses among offered locales as ICU's `LocaleMatcher` does, by CLDR's distances between languages.
///
/// - Parameters:
///   - offers: the order decides between equals.
///   - first: the offer that wins among equals. It may follow the `count` offers.
///   - wanted: the reader's, best first.
/// - Returns: an index into `offers`, and into `wanted` in `wanted_index`; -1 if nothing is near enough.
/// - Cost: some nanoseconds for each offered language and wanted tag. No more than the first `CF_WANTED_LIMIT` wanted tags
///   are read.
int32_t cf_match(
    const cf_offer *offers, size_t count, size_t first, const cf_tag *wanted, size_t wanted_count,
    size_t *CF_MAYBE wanted_index);

#define CF_WANTED_LIMIT 32

// MARK: Formats

typedef enum cf_format_kind {
  CF_NUMBER,
  CF_PERCENT,
  CF_CURRENCY,
  CF_DATE,
  CF_TIME,
  CF_DATETIME,
  CF_RELATIVE,
  CF_LIST,
  CF_PLURAL,
} cf_format_kind;

typedef enum cf_length {
  /// Of dates, times (`SHORT`, `MEDIUM` only), both, and relative dates (`LONG`, `SHORT` only).
  CF_SHORT,
  CF_MEDIUM,
  CF_LONG,
  CF_FULL,
  /// Fields of dates.
  CF_MONTH_DAY,
  CF_YEAR_MONTH,
  CF_WEEKDAY,
  CF_MONTH_DAY_WEEKDAY,
  CF_YEAR,
} cf_length;

typedef enum cf_symbol { CF_SYMBOL_STANDARD, CF_SYMBOL_NARROW, CF_SYMBOL_CODE } cf_symbol;
typedef enum cf_epoch { CF_EPOCH_NONE, CF_EPOCH_SECONDS, CF_EPOCH_MILLISECONDS } cf_epoch;
typedef enum cf_list_word { CF_LIST_AND, CF_LIST_OR } cf_list_word;
typedef enum cf_plural_kind { CF_CARDINAL, CF_ORDINAL } cf_plural_kind;

/// Fraction digits that nobody asked for: those that were sent, or, of a currency, its own.
#define CF_DIGITS_AUTO 255
/// The most fraction digits that can be asked for.
#define CF_DIGITS_LIMIT 20

/// A format with its options, as a template has it: 12 bytes without padding, to be stored as they are. `integer` is
/// `CF_NUMBER` with 0 digits.
typedef struct cf_format {
  /// A `cf_format_kind`.
  uint8_t kind;
  /// A `cf_length`, for dates.
  uint8_t length;
  /// Fraction digits, both `CF_DIGITS_AUTO` or neither.
  uint8_t minimum_digits;
  uint8_t maximum_digits;
  /// 1: positive numbers have a sign, too.
  uint8_t always_sign;
  /// A `cf_symbol`, for currencies.
  uint8_t symbol;
  /// A `cf_epoch`, for dates.
  uint8_t epoch;
  /// A `cf_list_word` for lists, a `cf_plural_kind` for plurals.
  uint8_t variant;
  /// Three capital letters, or zeros if the code comes with the value.
  uint8_t currency[4];
} cf_format;

/// Whether each field is one that `cf_formatter_make` takes. Fields that the kind does not use must be 0, `digits` of
/// kinds without a number too.
bool cf_format_is_valid(const cf_format *format);

/// A format of one locale, ready to print: plain memory without pointers, which may be copied and moved. May be used
/// by many threads.
typedef struct cf_formatter cf_formatter;

/// The most bytes of a formatter.
#define CF_FORMATTER_BYTES_LIMIT 65536

/// Makes a formatter.
///
/// - Parameters:
///   - locale: below `pack->locale_count`.
///   - wants_latin_digits: Western digits, where the locale has others.
///   - format: valid by `cf_format_is_valid`.
///   - memory: aligned to 8 bytes; null to learn the size only.
///   - capacity: bytes at `memory`.
/// - Returns: the formatter's size, from 100 bytes to some kilobytes; it was made if that is at most `capacity`. 0 if
///   memory is short, or tables of a hostile pack make it larger than `CF_FORMATTER_BYTES_LIMIT`. Of plurals at most
///   4,096, whatever the pack.
/// - Cost: linear in the size; microseconds. Allocates, and frees what it allocated.
size_t cf_formatter_make(
    const cf_pack *pack, uint32_t locale, bool wants_latin_digits, const cf_format *format, void *CF_MAYBE memory,
    size_t capacity);

/// The most bytes that `cf_print` writes, whatever the value: some thousand for numbers, some hundred for dates;
/// 65,536 at most. 0 for lists and plurals, which do not print.
size_t cf_formatter_bound(const cf_formatter *formatter);

/// Whether no byte that it prints is one of `& < > " '` or a control, so that it needs no escape in element text and
/// quoted attributes. Of a list: that no word of its own has such a byte.
bool cf_formatter_is_plain(const cf_formatter *formatter);

/// Whether what is printed depends on the clock's zone or now.
bool cf_formatter_uses_clock(const cf_formatter *formatter);

// MARK: Time

/// All time zones of a folder of TZif files (RFC 9636), in one table. May be used by many threads.
typedef struct cf_zones cf_zones;

/// Reads a folder such as `/usr/share/zoneinfo`. Damaged and other files are passed over; a file is read up to 64
/// KiB, a folder up to 2,000 zones, six levels deep. Symbolic links to files are followed, as names of their own.
///
/// - Returns: the zones, to be freed with `cf_zones_free`; null if the folder has none or memory is short.
cf_zones *CF_MAYBE cf_zones_load(const char *folder);
void cf_zones_free(cf_zones *CF_MAYBE zones);

/// Whether some files or folders could not be read for lack of descriptors or memory, or because a disk fails.
bool cf_zones_are_partial(const cf_zones *zones);

/// How many names there are, and how many bytes the table holds.
size_t cf_zones_count(const cf_zones *zones);
size_t cf_zones_bytes(const cf_zones *zones);

/// The version of the data, such as "2025b", from `tzdata.zi` or `+VERSION`; empty if neither is there. Valid as long
/// as the zones.
const char *cf_zones_version(const cf_zones *zones);

/// An offset from UTC in seconds, from an instant until before another.
typedef struct cf_interval {
  int64_t from;
  int64_t until;
  int32_t offset;
} cf_interval;

/// How many intervals a clock remembers.
#define CF_INTERVALS 8

/// The zone and the now of a request, with what was last looked up: to be used by one thread at a time, and copied
/// freely.
typedef struct cf_clock {
  /// Seconds since 1970.
  int64_t now;
  const cf_zones *CF_MAYBE zones;
  uint32_t zone;
  cf_interval intervals[CF_INTERVALS];
} cf_clock;

/// Starts a clock.
///
/// - Parameters:
///   - zones: null for `UTC` and offsets alone. Must outlive the clock.
///   - name: a name in the table, in any case of its letters, as the browsers have it; `UTC`, `GMT`, `Z`; or an
///     offset, `+02:00`, `-0330`, `+02`. No name is opened as a file.
///   - now: seconds since 1970.
/// - Returns: false if there is no such zone.
/// - Cost: logarithmic.
bool cf_clock_start(cf_clock *clock, const cf_zones *CF_MAYBE zones, const uint8_t *name, size_t count, int64_t now);

/// The time zone's offset from UTC at an instant, in seconds.
int32_t cf_clock_offset(cf_clock *clock, int64_t instant);

/// Reads an instant: a date with a time and an offset, in the forms that formats take. Fractions are cut. For `now`.
bool cf_read_instant(const uint8_t *bytes, size_t count, int64_t *seconds);

// MARK: Printing

/// What `cf_print` returns for a value that does not fit its format.
#define CF_MISFIT (-1)

/// The most digits of a number, as it was sent and written out. One with more does not fit.
#define CF_NUMBER_DIGITS_LIMIT 300

/// Prints a number or a date. Takes its seven arguments apart, because a struct of them would be filled for each value.
///
/// - Parameters:
///   - value: the text of a JSON number, or the bytes of a string without escapes.
///   - code: the currency, where the format says none; else not read.
///   - clock: for dates; numbers take null.
///   - target: has room for `cf_formatter_bound` bytes. Bytes after what was written may be changed, within the
///     bound.
/// - Returns: the bytes written, or `CF_MISFIT`.
/// - Cost: some 15 to 60 ns. A value longer than any that fits is refused by its length, or where it stops fitting.
int32_t cf_print(
    const cf_formatter *formatter, const uint8_t *value, size_t count, const uint8_t *CF_MAYBE code,
    size_t code_count, cf_clock *CF_MAYBE clock, uint8_t *target);

/// As `cf_print`, without a code, for a formatter that is plain.
///
/// - Returns: the end of what was printed; null if the value does not fit, or there is less room than
///   `cf_formatter_bound`.
uint8_t *CF_MAYBE cf_print_plain(
    const cf_formatter *formatter, const uint8_t *value, size_t count, cf_clock *CF_MAYBE clock, uint8_t *target,
    uint8_t *target_end);

/// The most bytes that `cf_print_machine` writes for dates.
#define CF_MACHINE_DATE_BYTES 32

/// Prints a value for programs: what `<time datetime>` and `<data value>` take. A date as RFC 3339 has it, with the
/// offset that was sent: `2025-10-09`, `2025-10-09T22:30:00`, `2025-10-09T22:30:00.5+02:00`; up to three digits of a
/// fraction, seconds even if not sent; epochs in UTC. A number is printed as it was sent. Nothing depends on locale or
/// clock.
///
/// - Parameter target: has room for `CF_MACHINE_DATE_BYTES`, for numbers `count`. Needs no escape.
/// - Returns: the bytes written, or `CF_MISFIT`, in the same cases as `cf_print` but for currencies without a code.
int32_t cf_print_machine(const cf_format *format, const uint8_t *value, size_t count, uint8_t *target);

// MARK: Plurals and lists

typedef enum cf_plural_category {
  CF_ZERO,
  CF_ONE,
  CF_TWO,
  CF_FEW,
  CF_MANY,
  CF_OTHER,
} cf_plural_category;

/// The plural category of a number: of its text, since `1` and `1.0` differ. What is no number, or is too long for
/// one, is `CF_OTHER`. `formatter` is of kind `CF_PLURAL`.
cf_plural_category cf_plural(const cf_formatter *formatter, const uint8_t *value, size_t count);

/// The plural category of a count, of an array for example.
cf_plural_category cf_plural_of_count(const cf_formatter *formatter, uint64_t count);

/// The words of a list before an item, or after the last. A list of n items is printed as
/// words(0) item(0) words(1) item(1) … item(n-1) words(n). `formatter` is of kind `CF_LIST`.
///
/// - Parameters:
///   - index: 0 to `item_count`.
///   - next: the text of item `index`, without markup, which Spanish and Hebrew words follow; none for the last
///     words.
cf_words cf_list_words(
    const cf_formatter *formatter, size_t index, size_t item_count, const uint8_t *CF_MAYBE next, size_t next_count);

// MARK: Truncation

/// The most characters that can be asked for.
#define CF_TRUNCATE_LIMIT 100000

/// A character of more bytes counts as several, so that none takes long.
#define CF_CLUSTER_BYTES_LIMIT 1024

/// How far a text has been read for `cf_truncate`. All zero at its beginning.
typedef struct cf_truncation {
  /// Bytes and characters that have been read.
  size_t at;
  size_t characters;
  /// Where the text is cut: after the last character that is not blank, or before the last blank one in the last third.
  size_t last_word;
  size_t before_blank;
  bool has_blank;
} cf_truncation;

/// Reads on until it is known how much of a text `truncate` keeps, or for some 64 KiB.
///
/// Characters are extended grapheme clusters (Unicode Standard Annex 29). If the text has more than `limit`, it is
/// cut after the last white space of the last third of these, or else after them, and white space at the cut goes.
///
/// - Returns: whether it is known. `*kept` are the bytes to keep then; if they are not all, `…` follows them.
/// - Cost: linear in what is read.
bool cf_truncate(cf_truncation *reading, const uint8_t *text, size_t count, size_t limit, size_t *kept);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
