#include <stdlib.h>

#include "tables.h"

/// What of a pack goes into another: the new number of each string, group and locale, or GONE.
#define GONE UINT16_MAX

typedef struct baking {
  const cf_pack *pack;
  uint16_t *strings;
  uint16_t *groups;
  uint16_t *locales;
  uint32_t string_count;
  uint32_t group_count;
  uint32_t id_count;
  uint32_t locale_count;
  uint32_t byte_count;
} baking;

static uint32_t group_start(const cf_pack *pack, uint32_t group) {
  return cf_read_32(pack->bytes + pack->groups + 4 * (size_t)group);
}

static void keep_string(baking *baking, uint32_t string) { baking->strings[string] = 0; }

static void keep_locale(baking *baking, uint32_t locale) {
  const cf_pack *pack = baking->pack;
  baking->locales[locale] = 0;
  keep_string(baking, cf_read_16(cf_locale_row(pack, locale)));
  for (uint32_t group = 0; group < CF_GROUPS; group++) {
    uint32_t kept = cf_locale_group(pack, locale, group);
    baking->groups[kept] = 0;
    for (uint32_t id = group_start(pack, kept); id < group_start(pack, kept + 1); id++) {
      keep_string(baking, cf_read_16(pack->bytes + pack->ids + 2 * (size_t)id));
    }
  }
}

/// Numbers what is kept, in the old order.
static uint32_t number(uint16_t *kept, uint32_t count) {
  uint32_t next = 0;
  for (uint32_t index = 0; index < count; index++) {
    if (kept[index] != GONE) kept[index] = (uint16_t)next++;
  }
  return next;
}

static void count(baking *baking) {
  const cf_pack *pack = baking->pack;
  baking->string_count = number(baking->strings, pack->string_count);
  baking->group_count = number(baking->groups, pack->group_count);
  baking->locale_count = number(baking->locales, pack->locale_count);
  for (uint32_t group = 0; group < pack->group_count; group++) {
    if (baking->groups[group] != GONE) baking->id_count += group_start(pack, group + 1) - group_start(pack, group);
  }
  for (uint32_t string = 0; string < pack->string_count; string++) {
    if (baking->strings[string] != GONE) baking->byte_count += (uint32_t)cf_string(pack, string).count;
  }
}

static uint8_t *put_32(uint8_t *at, uint32_t value) { return memcpy(at, &value, sizeof value), at + sizeof value; }
static uint8_t *put_16(uint8_t *at, uint16_t value) { return memcpy(at, &value, sizeof value), at + sizeof value; }

/// The new number of the nearest parent that is kept.
static uint16_t kept_parent(const baking *baking, uint32_t locale) {
  do {
    locale = cf_pack_parent(baking->pack, locale);
  } while (baking->locales[locale] == GONE);
  return baking->locales[locale];
}

static uint8_t *put_starts(const baking *baking, uint8_t *at) {
  const cf_pack *pack = baking->pack;
  uint32_t end = 0;
  at = put_32(at, 0);
  for (uint32_t string = 0; string < pack->string_count; string++) {
    if (baking->strings[string] != GONE) at = put_32(at, end += (uint32_t)cf_string(pack, string).count);
  }
  end = 0;
  at = put_32(at, 0);
  for (uint32_t group = 0; group < pack->group_count; group++) {
    if (baking->groups[group] != GONE)
      at = put_32(at, end += group_start(pack, group + 1) - group_start(pack, group));
  }
  return at;
}

static uint8_t *put_ids(const baking *baking, uint8_t *at) {
  const cf_pack *pack = baking->pack;
  for (uint32_t group = 0; group < pack->group_count; group++) {
    if (baking->groups[group] == GONE) continue;
    for (uint32_t id = group_start(pack, group); id < group_start(pack, group + 1); id++) {
      at = put_16(at, baking->strings[cf_read_16(pack->bytes + pack->ids + 2 * (size_t)id)]);
    }
  }
  return at;
}

static uint8_t *put_locales(const baking *baking, uint8_t *at) {
  const cf_pack *pack = baking->pack;
  for (uint32_t locale = 0; locale < pack->locale_count; locale++) {
    if (baking->locales[locale] == GONE) continue;
    const uint8_t *row = cf_locale_row(pack, locale);
    at = put_16(at, baking->strings[cf_read_16(row)]);
    at = put_16(at, kept_parent(baking, locale));
    at = put_16(at, cf_read_16(row + 4));
    for (uint32_t group = 0; group < CF_GROUPS; group++) {
      at = put_16(at, baking->groups[cf_locale_group(pack, locale, group)]);
    }
  }
  return at;
}

static void write(const baking *baking, size_t size, uint8_t *at) {
  const cf_pack *pack = baking->pack;
  memcpy(at, pack->bytes, CF_PACK_HEADER_BYTES);
  put_32(at + 8, (uint32_t)size);
  put_32(at + 12, baking->string_count);
  put_32(at + 16, baking->group_count);
  put_32(at + 20, baking->id_count);
  put_32(at + 24, baking->locale_count);
  put_32(at + 28, baking->byte_count);
  at = put_locales(baking, put_ids(baking, put_starts(baking, at + CF_PACK_HEADER_BYTES)));
  for (uint32_t string = 0; string < pack->string_count; string++) {
    if (baking->strings[string] == GONE) continue;
    cf_words words = cf_string(pack, string);
    memcpy(at, words.bytes, words.count);
    at += words.count;
  }
}

size_t cf_pack_bake(
    const cf_pack *pack, const uint32_t *locales, size_t locale_count, uint8_t *target, size_t capacity) {
  size_t numbers = (size_t)pack->string_count + pack->group_count + pack->locale_count;
  uint16_t *memory = malloc(numbers * sizeof *memory);
  if (!memory) return 0;
  memset(memory, 0xFF, numbers * sizeof *memory);
  baking baking = {
      .pack = pack,
      .strings = memory,
      .groups = memory + pack->string_count,
      .locales = memory + pack->string_count + pack->group_count};
  keep_string(&baking, 0);
  keep_locale(&baking, 0);
  for (size_t index = 0; index < locale_count; index++) {
    if (locales[index] < pack->locale_count) keep_locale(&baking, locales[index]);
  }
  count(&baking);
  size_t size = CF_PACK_HEADER_BYTES + 4 * ((size_t)baking.string_count + 1) + 4 * ((size_t)baking.group_count + 1) +
                2 * (size_t)baking.id_count + CF_LOCALE_BYTES * (size_t)baking.locale_count + baking.byte_count;
  if (target && size <= capacity) write(&baking, size, target);
  free(memory);
  return size;
}
