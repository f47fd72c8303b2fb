#include "tables.h"

// C23 has it, and clang before. The compiler notes the file among those that this one is made of.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t cf_all[] __attribute__((aligned(16))) = {
#embed "locales.bin"
};

/// The deepest chain of parents.
#define PARENT_LIMIT 8

typedef struct ascending {
  const uint8_t *starts;
  uint32_t count;
  uint32_t end;
  uint32_t most;
} ascending;

/// Whether starts ascend from 0 to the end, none too far from the next.
static bool is_ascending(ascending table) {
  uint32_t last = 0;
  if (cf_read_32(table.starts) != 0) return false;
  for (uint32_t index = 1; index <= table.count; index++) {
    uint32_t next = cf_read_32(table.starts + 4 * (size_t)index);
    if (next < last || next - last > table.most || next > table.end) return false;
    last = next;
  }
  return last == table.end;
}

static bool has_sound_strings(const cf_pack *pack) {
  for (uint32_t index = 0; index < pack->string_count; index++) {
    cf_words string = cf_string(pack, index);
    if (!cf_is_utf8(string.bytes, string.count)) return false;
  }
  return cf_string(pack, 0).count == 0;
}

/// Whether a locale's numbers are in their tables, and its tag is one and after the tag before.
static bool has_sound_locale(const cf_pack *pack, uint32_t locale) {
  const uint8_t *row = cf_locale_row(pack, locale);
  if (cf_read_16(row) >= pack->string_count || cf_read_16(row + 2) >= pack->locale_count) return false;
  for (uint32_t group = 0; group < CF_GROUPS; group++) {
    if (cf_locale_group(pack, locale, group) >= pack->group_count) return false;
  }
  cf_words words = cf_string(pack, cf_read_16(row));
  cf_tag tag, last;
  if (words.count > CF_TAG_BYTES || !cf_tag_read(words.bytes, words.count, &tag)) return false;
  if (tag.count != words.count || memcmp(tag.text, words.bytes, words.count) != 0) return false;
  if (locale == 0) return strcmp(tag.text, "und") == 0 && cf_read_16(row + 2) == 0;
  cf_pack_tag(pack, locale - 1, &last);
  return locale == 1 || strcmp(last.text, tag.text) < 0;
}

/// Whether each chain of parents ends at the root.
static bool has_sound_parents(const cf_pack *pack) {
  for (uint32_t locale = 0; locale < pack->locale_count; locale++) {
    uint32_t at = locale, steps = 0;
    while (at != 0 && steps++ < PARENT_LIMIT) at = cf_pack_parent(pack, at);
    if (at != 0) return false;
  }
  return true;
}

static bool has_sound_version(const cf_pack *pack) {
  const uint8_t *version = pack->bytes + 32;
  size_t count = 0;
  while (count < 16 && version[count] > ' ' && version[count] < 127) count++;
  for (size_t index = count; index < 16; index++) {
    if (version[index] != 0) return false;
  }
  return count > 0 && count < 16;
}

/// Notes where the tables are. Returns false if they do not fill the bytes.
static bool lay_out(const uint8_t *bytes, size_t count, cf_pack *pack) {
  if (count < CF_PACK_HEADER_BYTES || memcmp(bytes, "CFPACK1\n", 8) != 0 || cf_read_32(bytes + 8) != count)
    return false;
  uint32_t id_count = cf_read_32(bytes + 20), byte_count = cf_read_32(bytes + 28);
  *pack = (cf_pack){
      .bytes = bytes,
      .count = count,
      .string_count = cf_read_32(bytes + 12),
      .group_count = cf_read_32(bytes + 16),
      .locale_count = cf_read_32(bytes + 24)};
  if (pack->string_count == 0 || pack->string_count > 65535 || pack->group_count == 0 || pack->group_count > 65535 ||
      pack->locale_count == 0 || pack->locale_count > 65535 || id_count > count || byte_count > count) {
    return false;
  }
  uint64_t end = CF_PACK_HEADER_BYTES;
  pack->strings = (uint32_t)end;
  end += 4 * ((uint64_t)pack->string_count + 1);
  pack->groups = (uint32_t)end;
  end += 4 * ((uint64_t)pack->group_count + 1);
  pack->ids = (uint32_t)end;
  end += 2 * (uint64_t)id_count;
  pack->locales = (uint32_t)end;
  end += CF_LOCALE_BYTES * (uint64_t)pack->locale_count;
  pack->string_bytes = (uint32_t)end;
  return end + byte_count == count;
}

bool cf_pack_open(const uint8_t *bytes, size_t count, cf_pack *pack) {
  if (count > UINT32_MAX || !lay_out(bytes, count, pack)) return false;
  uint32_t id_count = cf_read_32(bytes + 20), byte_count = cf_read_32(bytes + 28);
  ascending strings = {bytes + pack->strings, pack->string_count, byte_count, CF_STRING_LIMIT};
  ascending groups = {bytes + pack->groups, pack->group_count, id_count, UINT16_MAX};
  if (!is_ascending(strings) || !is_ascending(groups) || !has_sound_strings(pack)) return false;
  for (uint32_t index = 0; index < id_count; index++) {
    if (cf_read_16(bytes + pack->ids + 2 * (size_t)index) >= pack->string_count) return false;
  }
  for (uint32_t locale = 0; locale < pack->locale_count; locale++) {
    if (!has_sound_locale(pack, locale)) return false;
  }
  return has_sound_parents(pack) && has_sound_version(pack);
}

static cf_pack all;

/// The program's own tables are sound: their hash is checked by a test, not at every start.
__attribute__((constructor)) static void open_all(void) { lay_out(cf_all, cf_read_32(cf_all + 8), &all); }

const cf_pack *cf_pack_all(void) { return &all; }

cf_words cf_program_part(cf_part part) {
  const uint8_t *parts = cf_all + (all.count + 3) / 4 * 4;
  const uint8_t *row = parts + 8 * (size_t)part;
  return (cf_words){parts + 8 * CF_PARTS + cf_read_32(row), cf_read_32(row + 4)};
}

cf_words cf_pack_version(const cf_pack *pack) {
  return (cf_words){pack->bytes + 32, strlen((const char *)pack->bytes + 32)};
}

uint32_t cf_pack_parent(const cf_pack *pack, uint32_t locale) { return cf_read_16(cf_locale_row(pack, locale) + 2); }

bool cf_pack_is_right_to_left(const cf_pack *pack, uint32_t locale) {
  return cf_read_16(cf_locale_row(pack, locale) + 4) & CF_RIGHT_TO_LEFT;
}

void cf_pack_tag(const cf_pack *pack, uint32_t locale, cf_tag *tag) {
  cf_words words = cf_string(pack, cf_read_16(cf_locale_row(pack, locale)));
  *tag = (cf_tag){.count = (uint8_t)words.count};
  memcpy(tag->text, words.bytes, words.count);
}
