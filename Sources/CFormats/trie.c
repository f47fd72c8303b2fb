#include "trie.h"

#include <stdbool.h>

// ICU's constants: what a node's first byte says.
#define MOST_LINEAR_BRANCHES 5
#define LEAST_RUN 0x10
#define LEAST_VALUE 0x20
#define IS_FINAL 1
#define VALUE_1 0x10
#define VALUE_2 0x51
#define VALUE_3 0x6C
#define VALUE_4 0x7E
#define DELTA_2 0xC0
#define DELTA_3 0xF0
#define DELTA_4 0xFE

/// A value whose first byte, halved, is `lead`; moves after it.
static int32_t read_value(const uint8_t **at, int32_t lead) {
  const uint8_t *next = *at;
  if (lead < VALUE_2) return lead - VALUE_1;
  if (lead < VALUE_3) return *at += 1, (lead - VALUE_2) << 8 | next[0];
  if (lead < VALUE_4) return *at += 2, (lead - VALUE_3) << 16 | next[0] << 8 | next[1];
  if (lead == VALUE_4) return *at += 3, next[0] << 16 | next[1] << 8 | next[2];
  return *at += 4, (int32_t)((uint32_t)next[0] << 24 | (uint32_t)next[1] << 16 | (uint32_t)next[2] << 8 | next[3]);
}

static const uint8_t *jump(const uint8_t *at) {
  int32_t delta = *at++;
  if (delta < DELTA_2) return at + delta;
  if (delta < DELTA_3) return at + 1 + ((delta - DELTA_2) << 8 | at[0]);
  if (delta < DELTA_4) return at + 2 + ((delta - DELTA_3) << 16 | at[0] << 8 | at[1]);
  if (delta == DELTA_4) return at + 3 + (at[0] << 16 | at[1] << 8 | at[2]);
  return at + 4 + ((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]);
}

static const uint8_t *skip_delta(const uint8_t *at) {
  int32_t delta = *at++;
  if (delta < DELTA_2) return at;
  if (delta < DELTA_3) return at + 1;
  return delta < DELTA_4 ? at + 2 : at + 3 + (delta & 1);
}

static cf_step step_at(const uint8_t *at) {
  if (*at < LEAST_VALUE) return CF_STEP_NO_VALUE;
  return *at & IS_FINAL ? CF_STEP_FINAL : CF_STEP_VALUE;
}

static cf_step branch(cf_trie *trie, const uint8_t *at, int32_t count, uint8_t byte) {
  if (count == 0) count = *at++;
  count++;
  while (count > MOST_LINEAR_BRANCHES) {
    if (byte < *at++) {
      count >>= 1;
      at = jump(at);
    } else {
      count -= count >> 1;
      at = skip_delta(at);
    }
  }
  for (; count > 1; count--) {
    bool is_match = byte == *at++;
    int32_t lead = *at;
    if (is_match && lead & IS_FINAL) {
      trie->at = at;
      return CF_STEP_FINAL;
    }
    at++;
    int32_t delta = read_value(&at, lead >> 1);
    if (is_match) {
      trie->at = at + delta;
      return step_at(trie->at);
    }
  }
  if (byte != *at++) return CF_STEP_NONE;
  trie->at = at;
  return step_at(at);
}

static cf_step run(cf_trie *trie, const uint8_t *at, int32_t rest, uint8_t byte) {
  if (byte != *at++) return CF_STEP_NONE;
  trie->rest = rest - 1;
  trie->at = at;
  return trie->rest < 0 ? step_at(at) : CF_STEP_NO_VALUE;
}

cf_step cf_trie_next(cf_trie *trie, uint8_t byte) {
  const uint8_t *at = trie->at;
  if (trie->rest >= 0) return run(trie, at, trie->rest, byte);
  for (;;) {
    int32_t node = *at++;
    if (node < LEAST_RUN) return branch(trie, at, node, byte);
    if (node < LEAST_VALUE) return run(trie, at, node - LEAST_RUN, byte);
    if (node & IS_FINAL) return CF_STEP_NONE;
    read_value(&at, node >> 1);
  }
}

int32_t cf_trie_value(const cf_trie *trie) {
  const uint8_t *at = trie->at;
  int32_t lead = *at++;
  return read_value(&at, lead >> 1);
}
