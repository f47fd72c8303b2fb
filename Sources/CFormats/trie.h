/// A trie of bytes as ICU lays it out (its `bytestrie.h`): a map from byte strings to numbers, walked byte by byte.
#ifndef CF_TRIE_H
#define CF_TRIE_H

#include <stdint.h>

typedef struct cf_trie {
  const uint8_t *at;
  /// Bytes of a run that are still to be matched, less one; below 0 if none.
  int32_t rest;
} cf_trie;

/// The values have bits: 2 if there is a value, 1 if more bytes can follow.
typedef enum cf_step {
  CF_STEP_NONE = 0,
  CF_STEP_NO_VALUE = 1,
  CF_STEP_FINAL = 2,
  CF_STEP_VALUE = 3,
} cf_step;

/// Walks on by a byte. After `CF_STEP_NONE` the trie must be set back to an earlier state, by assignment.
cf_step cf_trie_next(cf_trie *trie, uint8_t byte);

/// The value after the byte that led to a step with one.
int32_t cf_trie_value(const cf_trie *trie);

#endif
