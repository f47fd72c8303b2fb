// Feeds the engine of formats what it may never be sent: built with sanitizers by robustness.py.
//
//   robustness SECONDS SEED ZONE_FILE...
//
// Every input lies in a block of just its size, every output has just the room that is promised.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tables.h"
#include "zones.h"

static uint64_t state;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static uint32_t below(uint32_t limit) { return (uint32_t)(next() % limit); }

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "robustness: %s\n", what);
  abort();
}

/// Bytes in a block of their own.
typedef struct block {
  uint8_t *bytes;
  size_t count;
} block;

static block copy(const void *bytes, size_t count) {
  block made = {malloc(count ? count : 1), count};
  require(made.bytes != NULL, "no memory");
  memcpy(made.bytes, bytes, count);
  return made;
}

/// Changes some bytes; cuts the block at times, by making it anew.
static block mutate(block given, uint32_t most) {
  for (uint32_t count = below(most) + 1; count > 0 && given.count > 0; count--) {
    uint32_t at = below((uint32_t)given.count);
    switch (below(4)) {
    case 0: given.bytes[at] ^= (uint8_t)(1u << below(8)); break;
    case 1: given.bytes[at] = (uint8_t)below(256); break;
    case 2: given.bytes[at] = given.bytes[below((uint32_t)given.count)]; break;
    default: given.bytes[at] = (uint8_t)(given.bytes[at] + below(3) - 1); break;
    }
  }
  if (below(40) > 0) return given;
  block shorter = copy(given.bytes, below((uint32_t)given.count + 1));
  free(given.bytes);
  return shorter;
}

static const char *const values[] = {
    "1234567.50",
    "-0",
    "1e300",
    "9.99999e-290",
    "0.5",
    "12",
    "-99999999999999999999",
    "2025-10-09T22:30:00.123+02:00[Europe/Berlin]",
    "2025-10-09 22:30Z",
    "0001-01-01",
    "9999-12-31T23:59:60Z",
    "2024-02-29T00:00:00-23:59",
    "",
    "1760000000123",
    "9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999",
};
#define VALUES (sizeof values / sizeof values[0])

static cf_format random_format(void) {
  cf_format format = {0};
  do {
    format = (cf_format){.kind = (uint8_t)below(9), .length = (uint8_t)below(9), .variant = (uint8_t)below(2)};
    if (format.kind <= CF_CURRENCY) {
      format.length = 0;
      format.variant = 0;
      format.minimum_digits = below(2) ? CF_DIGITS_AUTO : (uint8_t)below(4);
      format.maximum_digits = format.minimum_digits == CF_DIGITS_AUTO ? CF_DIGITS_AUTO : (uint8_t)(3 + below(18));
      format.always_sign = (uint8_t)below(2);
      if (format.kind == CF_CURRENCY) {
        format.symbol = (uint8_t)below(3);
        if (below(2)) memcpy(format.currency, below(2) ? "USD" : "CVE", 3);
      }
    } else if (format.kind <= CF_RELATIVE) {
      format.epoch = (uint8_t)(below(3) ? 0 : below(3));
      format.variant = 0;
    } else {
      format.length = 0;
    }
  } while (!cf_format_is_valid(&format));
  return format;
}

/// Whether a formatter that says so prints nothing that needs an escape.
static void check_output(const cf_formatter *formatter, const uint8_t *bytes, size_t count) {
  require(cf_is_utf8(bytes, count), "what is printed is no UTF-8");
  if (!cf_formatter_is_plain(formatter)) return;
  for (size_t index = 0; index < count; index++) {
    require(bytes[index] >= ' ' && !strchr("&<>\"'\x7F", bytes[index]), "what is printed is not plain");
  }
}

static void print(const cf_formatter *formatter, const cf_format *format, block value, cf_clock *clock) {
  size_t bound = cf_formatter_bound(formatter);
  block code = copy(
            below(3) ? "USD"
                     : "Q\xFF"
                       "1",
            3),
        target = copy("", 0);
  target.bytes = realloc(target.bytes, bound ? bound : 1);
  int32_t count = cf_print(formatter, value.bytes, value.count, code.bytes, code.count, clock, target.bytes);
  require(count == CF_MISFIT || (size_t)count <= bound, "more is printed than the bound");
  if (count >= 0) check_output(formatter, target.bytes, (size_t)count);
  size_t machine_room = format->kind >= CF_DATE && format->kind <= CF_RELATIVE ? CF_MACHINE_DATE_BYTES : value.count;
  block machine = copy("", 0);
  machine.bytes = realloc(machine.bytes, machine_room ? machine_room : 1);
  count = cf_print_machine(format, value.bytes, value.count, machine.bytes);
  require(count <= (int32_t)machine_room, "more is printed for programs than the bound");
  if (format->kind == CF_PLURAL) {
    require(cf_plural(formatter, value.bytes, value.count) <= CF_OTHER, "a category that is none");
    cf_plural_of_count(formatter, next());
  }
  if (format->kind == CF_LIST) {
    for (size_t index = 0; index <= 3; index++) {
      cf_words words = cf_list_words(formatter, index, 3, value.bytes, value.count);
      check_output(formatter, words.bytes, words.count);
    }
  }
  free(code.bytes);
  free(target.bytes);
  free(machine.bytes);
}

/// Makes a formatter in a block of its size; null if there is none.
static cf_formatter *make(const cf_pack *pack, uint32_t locale, const cf_format *format) {
  bool wants_latin_digits = below(2);
  size_t size = cf_formatter_make(pack, locale, wants_latin_digits, format, NULL, 0);
  require(size <= CF_FORMATTER_BYTES_LIMIT, "a formatter is larger than the limit");
  require(
      format->kind != CF_PLURAL || (size > 0 && size <= 4096), "a formatter of plurals is larger than 4,096 bytes");
  if (size == 0) return NULL;
  cf_formatter *formatter = malloc(size);
  require(
      cf_formatter_make(pack, locale, wants_latin_digits, format, formatter, size) == size, "made of another size");
  return formatter;
}

static void try_formats(const cf_pack *pack, uint32_t locale, uint32_t count, cf_clock *clock) {
  while (count-- > 0) {
    cf_format format = random_format();
    cf_formatter *formatter = make(pack, locale, &format);
    if (!formatter) continue;
    for (int turn = 0; turn < 6; turn++) {
      const char *sample = values[below(VALUES)];
      block value = mutate(copy(sample, strlen(sample)), below(2) ? 1 : 4);
      print(formatter, &format, value, clock);
      free(value.bytes);
    }
    free(formatter);
  }
}

static void try_tags(const cf_pack *pack) {
  static const char letters[] = "aAdeENzhHantTW419u-nulatnx--_ \xFF";
  cf_tag tags[4];
  uint32_t offered[4];
  for (int index = 0; index < 4; index++) {
    uint8_t text[40];
    size_t count = below(sizeof text);
    for (size_t at = 0; at < count; at++) text[at] = (uint8_t)letters[below(sizeof letters)];
    block value = copy(text, count);
    if (!cf_tag_read(value.bytes, value.count, &tags[index]))
      cf_pack_tag(pack, below(pack->locale_count), &tags[index]);
    require(
        strlen(tags[index].text) == tags[index].count && tags[index].count <= CF_TAG_BYTES,
        "a tag of another length");
    offered[index] = cf_pack_nearest(pack, &tags[index]);
    require(
        offered[index] < pack->locale_count && cf_pack_find(pack, &tags[index]) < (int32_t)pack->locale_count,
        "no such locale");
    free(value.bytes);
  }
  cf_offer offers[4];
  cf_pack_offer(pack, offered, 4, offers);
  require(cf_match(offers, 3, below(4), tags, 4, NULL) < 4, "no such offer");
  cf_pack_is_same_language(pack, offered[0], offered[1]);
}

static uint64_t opened_count;

/// Opens a pack with changed bytes; whatever opens is used.
static void try_pack(cf_clock *clock) {
  const cf_pack *all = cf_pack_all();
  uint32_t chosen[3] = {below(all->locale_count), below(all->locale_count), below(all->locale_count)};
  block baked = copy("", 0);
  baked.count = cf_pack_bake(all, chosen, 3, NULL, 0);
  baked.bytes = realloc(baked.bytes, baked.count);
  require(cf_pack_bake(all, chosen, 3, baked.bytes, baked.count) == baked.count, "baked of another size");
  cf_pack pack;
  require(cf_pack_open(baked.bytes, baked.count, &pack), "what was baked does not open");
  // Most of what is changed are ids, groups and strings, which may well be sound.
  for (int turn = 0; turn < 40; turn++) {
    block changed = copy(baked.bytes, baked.count);
    if (below(4)) {
      for (uint32_t count = below(30) + 1; count > 0; count--) {
        uint32_t id = pack.ids + 2 * below((pack.locales - pack.ids) / 2);
        uint16_t other = (uint16_t)below(pack.string_count);
        memcpy(changed.bytes + id, &other, sizeof other);
        uint32_t at = pack.string_bytes + below((uint32_t)(changed.count - pack.string_bytes));
        if (changed.bytes[at] < 128) changed.bytes[at] = (uint8_t)below(128);
      }
    } else {
      changed = mutate(changed, 8);
    }
    cf_pack other;
    if (cf_pack_open(changed.bytes, changed.count, &other)) {
      opened_count++;
      for (uint32_t locale = 0; locale < other.locale_count; locale++) try_formats(&other, locale, 3, clock);
      try_tags(&other);
      uint32_t last = other.locale_count - 1;
      cf_pack_version(&other);
      cf_pack_is_right_to_left(&other, last);
      block again = copy("", 0);
      again.count = cf_pack_bake(&other, &last, 1, NULL, 0);
      again.bytes = realloc(again.bytes, again.count);
      cf_pack_bake(&other, &last, 1, again.bytes, again.count);
      require(cf_pack_open(again.bytes, again.count, &other), "what was baked of a changed pack does not open");
      free(again.bytes);
    }
    free(changed.bytes);
  }
  free(baked.bytes);
}

static void try_zone(const char *path) {
  static uint8_t bytes[CF_ZONE_FILE_LIMIT];
  static int64_t times[CF_ZONE_CHANGE_LIMIT];
  static int32_t offsets[CF_ZONE_CHANGE_LIMIT];
  FILE *file = fopen(path, "rb");
  require(file != NULL, "no zone file");
  size_t count = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  for (int turn = 0; turn < 200; turn++) {
    // The counts of a header, the footer, or anything.
    block changed = copy(bytes, count);
    switch (below(3)) {
    case 0: changed.bytes[20 + below(24)] = (uint8_t)below(256); break;
    case 1: changed.bytes[count - 1 - below(40)] = (uint8_t)below(128); break;
    default: changed = mutate(changed, 12); break;
    }
    cf_zone_file parsed = {.times = times, .offsets = offsets};
    if (cf_zone_parse(changed.bytes, changed.count, &parsed) && parsed.rule.is_there) {
      int64_t from, until, instant = (int64_t)(next() % 400000000000) - 62135596800;
      int32_t offset = cf_zone_rule_offset(&parsed.rule, instant, &from, &until);
      require(
          from <= instant && instant < until && offset > -CF_DAY_SECONDS * 2 && offset < CF_DAY_SECONDS * 2,
          "no such offset");
    }
    free(changed.bytes);
  }
}

static void try_truncation(void) {
  static const uint8_t pieces[] =
      "ab "
      "\xC3\xA9\xCC\x81\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x87\xA9\xE0\xA4\x95\xE0\xA5\x8D\xEA\xB0\x80\r\n\xFF\xC0";
  uint8_t text[64];
  size_t count = below(sizeof text);
  for (size_t at = 0; at < count; at++) text[at] = pieces[below(sizeof pieces)];
  block value = copy(text, count);
  cf_truncation reading = {0};
  size_t kept;
  require(cf_truncate(&reading, value.bytes, value.count, 1 + below(20), &kept), "a short text is read in parts");
  require(kept <= count, "more is kept than there was");
  free(value.bytes);
}

int main(int count, char **words) {
  require(count > 3, "robustness SECONDS SEED ZONE_FILE...");
  time_t end = time(NULL) + atoi(words[1]);
  state = strtoull(words[2], NULL, 10) * 0x9E3779B97F4A7C15 + 1;
  uint64_t rounds = 0;
  do {
    cf_clock clock;
    require(
        cf_clock_start(&clock, NULL, (const uint8_t *)"+05:30", 6, (int64_t)(next() % 400000000000) - 62135596800),
        "no clock");
    try_formats(cf_pack_all(), below(cf_pack_all()->locale_count), 20, &clock);
    try_tags(cf_pack_all());
    try_pack(&clock);
    try_zone(words[3 + below((uint32_t)count - 3)]);
    for (int turn = 0; turn < 200; turn++) try_truncation();
    rounds++;
  } while (time(NULL) < end);
  printf(
      "robustness: %llu rounds, %llu changed packs opened\n", (unsigned long long)rounds,
      (unsigned long long)opened_count);
}
