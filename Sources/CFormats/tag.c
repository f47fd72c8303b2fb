#include "languages.h"

/// A subtag of the text that is read.
typedef struct subtag {
  const uint8_t *bytes;
  size_t count;
} subtag;

/// Subtags that are still to be read, the first of them taken apart.
typedef struct reader {
  const uint8_t *at;
  const uint8_t *end;
  subtag next;
  bool is_malformed;
} reader;

static bool is_letter(uint8_t byte) { return (uint8_t)((byte | 32) - 'a') < 26; }
static bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }
static char lower(uint8_t byte) { return (char)(is_letter(byte) ? byte | 32 : byte); }
static char upper(uint8_t byte) { return (char)(is_letter(byte) ? byte & ~32 : byte); }

/// Moves on to the next subtag, of at most eight bytes; one of no bytes at the end, and where the tag is malformed.
static void advance(reader *reader) {
  const uint8_t *start = reader->at;
  reader->next = (subtag){start, 0};
  if (start == reader->end) return;
  while (reader->at < reader->end && *reader->at != '-') {
    if (!is_letter(*reader->at) && !is_digit(*reader->at)) reader->is_malformed = true;
    reader->at++;
  }
  reader->next.count = (size_t)(reader->at - start);
  if (reader->next.count == 0 || reader->next.count > 8) reader->is_malformed = true;
  if (reader->at < reader->end && ++reader->at == reader->end) reader->is_malformed = true;
  if (reader->is_malformed) reader->next.count = 0;
}

static bool is_letters(subtag subtag) {
  for (size_t index = 0; index < subtag.count; index++) {
    if (!is_letter(subtag.bytes[index])) return false;
  }
  return subtag.count > 0;
}

static bool is_digits(subtag subtag) {
  for (size_t index = 0; index < subtag.count; index++) {
    if (!is_digit(subtag.bytes[index])) return false;
  }
  return subtag.count > 0;
}

static bool is_variant(subtag subtag) {
  return subtag.count >= 5 || (subtag.count == 4 && is_digit(subtag.bytes[0]));
}

static bool equals(subtag subtag, const char *word) {
  if (subtag.count != strlen(word)) return false;
  for (size_t index = 0; index < subtag.count; index++) {
    if (lower(subtag.bytes[index]) != word[index]) return false;
  }
  return true;
}

static void put(cf_tag *tag, subtag subtag, bool is_region) {
  if (tag->count + 1 + subtag.count > CF_TAG_BYTES) return;
  if (tag->count > 0) tag->text[tag->count++] = '-';
  for (size_t index = 0; index < subtag.count; index++) {
    tag->text[tag->count++] = is_region ? upper(subtag.bytes[index]) : lower(subtag.bytes[index]);
  }
}

static void read_language(reader *reader, cf_tag *tag) {
  subtag language = reader->next;
  if (!is_letters(language) || language.count == 1 || language.count == 4) {
    reader->is_malformed = true;
    return;
  }
  char name[9] = {0};
  for (size_t index = 0; index < language.count; index++) name[index] = lower(language.bytes[index]);
  cf_language_canonical(name);
  put(tag, (subtag){(const uint8_t *)name, strlen(name)}, false);
  advance(reader);
  // Extended languages, which no locale has.
  for (int count = 0; count < 3 && language.count <= 3 && reader->next.count == 3 && is_letters(reader->next);
       count++) {
    advance(reader);
  }
}

static void read_script_and_region(reader *reader, cf_tag *tag) {
  if (reader->next.count == 4 && is_letters(reader->next)) {
    uint8_t at = tag->count;
    put(tag, reader->next, false);
    tag->text[at + 1] = upper((uint8_t)tag->text[at + 1]);
    advance(reader);
  }
  if ((reader->next.count == 2 && is_letters(reader->next)) || (reader->next.count == 3 && is_digits(reader->next))) {
    put(tag, reader->next, true);
    advance(reader);
  }
}

/// Reads an extension, and its numbering system if it is that of locales.
static void read_extension(reader *reader, cf_tag *tag) {
  bool is_locale = equals(reader->next, "u"), is_numbering = false, has_subtags = false;
  advance(reader);
  while (reader->next.count > 1) {
    if (is_locale && reader->next.count == 2) {
      is_numbering = equals(reader->next, "nu");
    } else if (is_numbering) {
      tag->wants_latin_digits |= equals(reader->next, "latn");
      is_numbering = false;
    }
    has_subtags = true;
    advance(reader);
  }
  if (!has_subtags) reader->is_malformed = true;
}

bool cf_tag_read(const uint8_t *bytes, size_t count, cf_tag *tag) {
  *tag = (cf_tag){0};
  if (count == 0 || count > 255) return false;
  reader reader = {.at = bytes, .end = bytes + count};
  uint64_t singletons = 0;
  advance(&reader);
  bool is_private = equals(reader.next, "x");
  if (is_private) {
    put(tag, (subtag){(const uint8_t *)"und", 3}, false);
  } else {
    read_language(&reader, tag);
    read_script_and_region(&reader, tag);
    while (is_variant(reader.next)) {
      put(tag, reader.next, false);
      advance(&reader);
    }
  }
  while (reader.next.count == 1 && !equals(reader.next, "x")) {
    // Letters have the bits from 33 on, in either case, and digits those up to 9.
    uint8_t byte = *reader.next.bytes;
    uint64_t bit = 1ull << (is_letter(byte) ? (byte | 32) % 64 : byte & 0xF);
    if (singletons & bit) return false;
    singletons |= bit;
    read_extension(&reader, tag);
  }
  if (reader.next.count == 1) {
    advance(&reader);
    if (reader.next.count == 0) return false;
    while (reader.next.count > 0) advance(&reader);
  }
  return reader.next.count == 0 && !reader.is_malformed;
}

void cf_subtags_of(const cf_tag *tag, cf_subtags *subtags) {
  *subtags = (cf_subtags){0};
  const char *at = tag->text;
  for (int place = 0; *at; place++) {
    const char *end = strchr(at, '-');
    size_t count = end ? (size_t)(end - at) : strlen(at);
    if (place == 0) {
      if (strcmp(tag->text, "und") != 0 && strncmp(at, "und-", 4) != 0) memcpy(subtags->language, at, count);
    } else if (count == 4 && is_letter((uint8_t)*at)) {
      memcpy(subtags->script, at, count);
    } else if (count <= 3) {
      memcpy(subtags->region, at, count);
    }
    if (!end) break;
    at = end + 1;
  }
}
