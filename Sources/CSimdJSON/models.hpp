// Models: what an object is compared with, so that its names need not be looked up.
//
// Rows of a batch mostly have one shape, so an object is compared with a model: an object before it that stood in the
// same place, as a rule the row before, in the same array or on the line before. Where the bytes of a key are those of
// the model's next key, its length and its id are the model's too, and nothing is searched or hashed. The model is a
// guess: it never changes a result. Whether an object in an array is like its model in all else, too, is noted in its
// head: who reads it need not compare it again.
#ifndef CF_MODELS_HPP
#define CF_MODELS_HPP

#include "nodes.hpp"
#include "seldom.hpp"
#include "words.hpp"

/// What a head says of models: no part of what objects are compared by.
inline constexpr uint32_t model_marks = CF_JSON_MODEL | CF_JSON_LIKE_MODEL;

/// Most bytes of a key and its quotes that are compared with a model's: the padding allows to read that many at every
/// token.
inline constexpr size_t longest_compared = CF_JSON_PADDING;

/// Whether the text at `p`, where a token is, is the key of the node `key` and its quotes.
///
/// `key` stands in the same text before `p` and was written without escapes. So there is no quote and no
/// backslash in it, and if the bytes are the same, what is at `p` is a complete string without escapes, too.
__attribute__((always_inline)) inline bool is_key_again(const cf_json_node *key, const uint8_t *text,
                                                        const uint8_t *p) {
  const uint8_t *model = text + key->offset - 1;
  size_t size = size_t(key->length) + 2;
  uint64_t different = load_word(model) ^ load_word(p);
  if (size <= 8) return (different & first_bytes.of[size]) == 0;
  if (__builtin_expect(size > 16, 0)) {
    if (size > longest_compared) return false;
    for (size_t at = 8; at < size - 8; at += 8) different |= load_word(model + at) ^ load_word(p + at);
  }
  return (different | (load_word(model + size - 8) ^ load_word(p + size - 8))) == 0;
}

/// Members of a model that are passed over, because an object may lack some, before it is given up.
inline constexpr int most_members_skipped = 3;

/// The key of the model that is at `p`, if it is one of the next; `key` is not. Else NULL.
CF_SELDOM inline cf_json_node *find_in_model(cf_json_node *nodes, cf_json_node *key, uint32_t key_head,
                                             const uint8_t *text, const uint8_t *p) {
  auto is_here = [&] { return key->head == key_head && is_key_again(key, text, p); };
  // Where the model has an array or object and this one had a scalar, what is in it stands before the next key.
  if (key->head != key_head) {
    key = end_of_value(nodes, key - 1);
    if (is_here()) return key;
  }
  for (int skipped = 0; skipped < most_members_skipped && key->head == key_head; skipped++) {
    key = end_of_value(nodes, key + 1);
    if (is_here()) return key;
  }
  return nullptr;
}

#endif
