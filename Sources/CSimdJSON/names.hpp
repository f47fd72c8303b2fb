// The table of names, and the lookup that the walk inlines.
#ifndef CF_NAMES_HPP
#define CF_NAMES_HPP

#include "cf_json.h"
#include "words.hpp"

/// The first and last 8 bytes of a name, equal if it is shorter; bytes after a short name are 0.
struct name_words {
  uint64_t first;
  uint64_t last;
};

struct name_slot {
  name_words words;
  uint32_t length;
  uint32_t id;
  uint32_t offset;
};

/// Random factors for the words of a name: the first, the last, and those between.
struct name_factors {
  uint64_t first;
  uint64_t last;
  uint64_t middle;
};

/// Open addressing, at most half full. `id` is CF_NODE_UNKNOWN_NAME in a free slot.
struct cf_json_names {
  name_slot *slots;
  uint8_t *bytes;
  uint32_t mask;
  uint32_t shift;
  uint32_t count;
  name_factors factors;
};

/// Reads up to 8 bytes after a name of less than 8 bytes, and drops them.
static inline name_words words_of_name(const uint8_t *p, uint32_t length) {
  if (length >= 8) return {load_word(p), load_word(p + length - 8)};
  uint64_t word = load_word(p) & first_bytes.of[length];
  return {word, word};
}

/// A hash of the bytes between the first and the last 8, some of which may be read twice. Names that differ
/// only there are common if they are numbered.
static inline uint64_t hash_of_middle(const cf_json_names *names, const uint8_t *p, uint32_t length) {
  uint64_t hash = load_word(p + length - 16);
  for (uint32_t at = 8; at + 16 < length; at += 8) {
    hash = (hash ^ load_word(p + at)) * names->factors.middle;
    hash ^= hash >> 32;
  }
  return hash * names->factors.middle;
}

static inline uint64_t hash_of_ends(const cf_json_names *names, name_words words, uint32_t length) {
  return (words.first * names->factors.first) ^ ((words.last + length) * names->factors.last);
}

static inline uint32_t first_slot(
    const cf_json_names *names, name_words words, const uint8_t *p, uint32_t length) {
  uint64_t hash = hash_of_ends(names, words, length);
  if (length > 16) hash ^= hash_of_middle(names, p, length);
  return uint32_t(hash >> names->shift);
}

/// The two words contain names of up to 16 bytes completely. A separate function, so that short names need fewer
/// registers.
__attribute__((noinline)) static uint32_t find_long_name(
    const cf_json_names *names, const uint8_t *p, uint32_t length) {
  name_words words = words_of_name(p, length);
  uint32_t at = first_slot(names, words, p, length);
  for (;; at = (at + 1) & names->mask) {
    const name_slot &slot = names->slots[at];
    if (slot.id == CF_NODE_UNKNOWN_NAME) return CF_NODE_UNKNOWN_NAME;
    if (slot.words.first == words.first && slot.words.last == words.last && slot.length == length &&
        memcmp(names->bytes + slot.offset + 8, p + 8, length - 16) == 0) {
      return slot.id;
    }
  }
}

static inline uint32_t find_name(const cf_json_names *names, const uint8_t *p, uint32_t length) {
  if (length > 16) return find_long_name(names, p, length);
  name_words words = words_of_name(p, length);
  uint32_t at = uint32_t(hash_of_ends(names, words, length) >> names->shift);
  for (;; at = (at + 1) & names->mask) {
    const name_slot &slot = names->slots[at];
    if (slot.id == CF_NODE_UNKNOWN_NAME) return CF_NODE_UNKNOWN_NAME;
    if (slot.words.first == words.first && slot.words.last == words.last && slot.length == length) {
      return slot.id;
    }
  }
}

#endif
