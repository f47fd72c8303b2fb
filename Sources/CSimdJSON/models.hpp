// Models: earlier objects that an object is compared with, so that its names need not be looked up.
//
// Rows of a batch usually have the same shape. So an object is compared with a model: an earlier object in
// the same position, usually the previous row of the same array or line. If the bytes of a key are those of
// the model's next key, its length and id are the same, too, without any search or hash. The model is only a
// guess and never changes the result. The head of an object in an array records whether the object is like
// its model in everything else, too, so that readers need not compare it again.
#ifndef CF_MODELS_HPP
#define CF_MODELS_HPP

#include "node_order.hpp"
#include "seldom.hpp"
#include "words.hpp"

/// The bits of a head that refer to models. They are ignored when objects are compared.
inline constexpr uint32_t model_marks = CF_NODE_MODEL | CF_NODE_LIKE_MODEL;

/// The longest key, including quotes, that is compared with a model's, in bytes: the padding allows reading
/// this many at every token.
inline constexpr size_t longest_compared = CF_JSON_PADDING;

/// Whether the token at `p` is the key of the node `key`, with its quotes.
///
/// `key` is earlier in the same text and was written without escapes. So it contains no quote and no
/// backslash, and if the bytes are equal, the text at `p` is a complete string without escapes, too.
__attribute__((always_inline)) inline bool is_key_again(const cf_node *key, const uint8_t *text,
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

/// How many members of a model are skipped, because an object may lack some, before the model is given up.
inline constexpr int most_members_skipped = 3;

/// The model's key at `p`, if it is one of the next after `key`; otherwise NULL.
CF_SELDOM inline cf_node *find_in_model(cf_node *nodes, cf_node *key, uint32_t key_head,
                                             const uint8_t *text, const uint8_t *p) {
  auto is_here = [&] { return key->head == key_head && is_key_again(key, text, p); };
  // If the model has an array or object and this object has a scalar, the model's contents precede the next
  // key.
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
