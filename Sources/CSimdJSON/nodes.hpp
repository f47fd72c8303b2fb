// The order of nodes.
#ifndef CF_NODES_HPP
#define CF_NODES_HPP

#include "cf_json.h"

inline bool is_container(const cf_json_node *node) { return (node->head & 0xFF) >= CF_JSON_ARRAY; }

/// The node after a value's subtree. Reads `link` only of containers, because a string's `link` may still be
/// part of the list of escaped strings.
inline cf_json_node *end_of_value(cf_json_node *nodes, cf_json_node *value) {
  return is_container(value) ? nodes + value->link : value + 1;
}

#endif
