/// The node: how parsed JSON is stored. `CSimdJSON` writes nodes, `CRowPlan` compares them with the shapes of
/// plans, and Swift reads them through `JSONTape`.
///
/// A document is an array of nodes in document order, one for each value and each key. A key is followed by
/// its value's subtree, then by the next key. `{"a": [1, "x"], "b": null}` with the names `a` (0) and `b` (1):
///
///     index  kind    depth  offset  length  link
///     0      object  0           0       2     7   two members; 7 is after the object
///     1      key     1           2       1     0   "a"
///     2      array   1           6       2     5   two elements
///     3      number  2           7       1     4   1
///     4      string  2          11       1     5   "x", without quotes
///     5      key     1          17       1     1   "b"
///     6      null    1          21       4     7
///
/// A node refers to the text, which is in another buffer, and has no pointers: an array of nodes may move.
#ifndef CF_NODES_H
#define CF_NODES_H

#include <stdint.h>

/// One value or key: 16 bytes.
///
///     head    kind (8 bits) | flags (8 bits) | depth (16 bits): the number of arrays and objects around it
///     offset  bytes from the start of the text buffer. String, key: first byte of the unescaped content;
///             number, literal: of its text; array, object: its bracket.
///     length  string, key: bytes of the unescaped content; number, literal: of its text;
///             array: elements; object: members as sent, including repeated ones
///     link    value: index of the node after its subtree (scalars: the next node); key: the id of its name
typedef struct cf_node {
  uint32_t head;
  uint32_t offset;
  uint32_t length;
  uint32_t link;
} cf_node;

/// The lowest 8 bits of a head. The kinds of values from CF_NODE_ARRAY on have a subtree.
enum cf_node_kind {
  CF_NODE_NULL = 0,
  CF_NODE_FALSE = 1,
  CF_NODE_TRUE = 2,
  CF_NODE_NUMBER = 3,
  CF_NODE_STRING = 4,
  CF_NODE_ARRAY = 5,
  CF_NODE_OBJECT = 6,
  CF_NODE_KEY = 7,
};

/// The bits of a head between the kind and the depth.
enum cf_node_flag {
  /// A number whose mantissa digits are all 0.
  CF_NODE_ZERO = 1u << 8,
  /// A known key that does not count, because its name is repeated: see repeated_keys.h. A key has no other flag.
  CF_NODE_SUPERSEDED = 1u << 9,
  /// An object in which some key is superseded.
  CF_NODE_HAS_SUPERSEDED = 1u << 10,
  /// Used only while parsing: an object whose repeated keys are marked after the walk, because some of its keys
  /// contain escapes, or because it is large.
  CF_NODE_MARK_LATER = 1u << 11,
  /// Used only while parsing: an object that may contain a repeated key.
  CF_NODE_MAY_REPEAT = 1u << 12,
  /// An empty string.
  CF_NODE_EMPTY = 1u << 13,
  /// An array or object in an array that is the model for the elements after it.
  CF_NODE_MODEL = 1u << 14,
  /// An object in an array whose nodes equal those of its model except for offsets and lengths: the same
  /// names, kinds and other flags in the same order. Its model is the last one before it in the array. If
  /// there is none, all elements before the first model are alike.
  CF_NODE_LIKE_MODEL = 1u << 15,
};

enum {
  /// The bits of a head that hold the kind.
  CF_NODE_KIND_BITS = 0xFF,
  /// Where the depth begins in a head.
  CF_NODE_DEPTH_SHIFT = 16,
};

/// The id of a key that is not in the table of names. No name has it.
#define CF_NODE_UNKNOWN_NAME 0xFFFFFFFFu

/// Nodes after the last one that can be read. Their values never affect a result.
#define CF_NODE_SPARE 1

#endif
