/// Repeated names in an object, such as `{"a": 1, "a": 2}`: which member counts. Every reader of rows asks here, and nothing
/// else decides it:
///
/// - the parser, for the archive's names: it marks the other keys as CF_NODE_SUPERSEDED, and look-ups skip those;
/// - `MemberTable`, for names that no template has, which are only printed as JSON.
#ifndef CF_REPEATED_KEYS_H
#define CF_REPEATED_KEYS_H

#include <stdint.h>

/// Of two keys with the same name in one object, the one whose value counts: the later one, as in JavaScript.
static inline uint32_t cf_key_that_counts(uint32_t earlier, uint32_t later) {
  (void)earlier;
  return later;
}

#endif
