#include "names.hpp"

#include <cstdlib>

/// The next number of a random sequence (SplitMix64).
static uint64_t next_number(uint64_t &state) {
  uint64_t number = state += 0x9E3779B97F4A7C15u;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return number ^ (number >> 31);
}

extern "C" {

cf_json_names *cf_json_names_create(const uint8_t *bytes, const uint32_t *lengths, uint32_t count, uint64_t seed) {
  size_t total = 0;
  for (uint32_t id = 0; id < count; id++) total += lengths[id];
  // At least 8 slots, so that the shift below stays under 64.
  uint32_t bits = 3;
  while ((size_t(1) << bits) < size_t(count) * 2) bits++;

  auto *names = static_cast<cf_json_names *>(malloc(sizeof(cf_json_names)));
  if (!names) return nullptr;
  names->slots = static_cast<name_slot *>(malloc(sizeof(name_slot) << bits));
  // Zeroes after the last name, because whole words are loaded.
  names->bytes = static_cast<uint8_t *>(calloc(total + 8, 1));
  names->mask = (uint32_t(1) << bits) - 1;
  names->shift = 64 - bits;
  names->count = count;
  // Odd, so that multiplying loses no bit of a name.
  names->factors = {next_number(seed) | 1, next_number(seed) | 1, next_number(seed) | 1};
  if (!names->slots || !names->bytes) {
    cf_json_names_free(names);
    return nullptr;
  }
  if (total > 0) memcpy(names->bytes, bytes, total);
  for (uint32_t at = 0; at <= names->mask; at++) names->slots[at] = {{0, 0}, 0, CF_NODE_UNKNOWN_NAME, 0};

  uint32_t offset = 0;
  for (uint32_t id = 0; id < count; id++) {
    name_words words = words_of_name(names->bytes + offset, lengths[id]);
    uint32_t at = first_slot(names, words, names->bytes + offset, lengths[id]);
    while (names->slots[at].id != CF_NODE_UNKNOWN_NAME) at = (at + 1) & names->mask;
    names->slots[at] = {words, lengths[id], id, offset};
    offset += lengths[id];
  }
  return names;
}

void cf_json_names_free(cf_json_names *names) {
  if (!names) return;
  free(names->slots);
  free(names->bytes);
  free(names);
}

uint32_t cf_json_names_find(const cf_json_names *names, const uint8_t *bytes, uint32_t length) {
  return find_name(names, bytes, length);
}
}
