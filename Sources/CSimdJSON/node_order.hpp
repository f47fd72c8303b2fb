// The order of nodes.
#ifndef CF_NODE_ORDER_HPP
#define CF_NODE_ORDER_HPP

#include "cf_json.h"

inline bool is_container(const cf_node *node) { return (node->head & CF_NODE_KIND_BITS) >= CF_NODE_ARRAY; }

/// The node after a value's subtree. Reads `link` only of containers, because a string's `link` may still be
/// part of the list of escaped strings.
inline cf_node *end_of_value(cf_node *nodes, cf_node *value) {
  return is_container(value) ? nodes + value->link : value + 1;
}

#endif
