#include "nodes.h"

#include <stddef.h>

// Nodes are written, compared and read by code in three languages, each of which relies on this layout.
_Static_assert(sizeof(cf_node) == 16, "vectors hold one node or two");
_Static_assert(_Alignof(cf_node) == 4, "a node is four 32-bit words");
_Static_assert(
    offsetof(cf_node, head) == 0 && offsetof(cf_node, offset) == 4 && offsetof(cf_node, length) == 8 &&
        offsetof(cf_node, link) == 12,
    "the words are in this order");

// A head has its kind in the first byte, its flags in the second and its depth in the rest.
_Static_assert(CF_NODE_KEY <= CF_NODE_KIND_BITS, "a kind fits");
_Static_assert(CF_NODE_ARRAY + 1 == CF_NODE_OBJECT && CF_NODE_OBJECT + 1 == CF_NODE_KEY, "containers are last");
#define CF_ALL_FLAGS                                                                                  \
  (CF_NODE_ZERO | CF_NODE_SUPERSEDED | CF_NODE_HAS_SUPERSEDED | CF_NODE_MARK_LATER |             \
   CF_NODE_MAY_REPEAT | CF_NODE_EMPTY | CF_NODE_MODEL | CF_NODE_LIKE_MODEL)
_Static_assert(
    CF_ALL_FLAGS == ((1u << CF_NODE_DEPTH_SHIFT) - 1) - CF_NODE_KIND_BITS, "flags lie between kind and depth");
