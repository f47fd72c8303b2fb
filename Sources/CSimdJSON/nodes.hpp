// How nodes follow one another.
#ifndef CF_NODES_HPP
#define CF_NODES_HPP

#include "cf_json.h"

inline bool is_container(const cf_json_node *node) { return (node->head & 0xFF) >= CF_JSON_ARRAY; }

/// The node behind a value's subtree. A string's `link` may still be the list's of escaped strings, so only a
/// container's is asked.
inline cf_json_node *end_of_value(cf_json_node *nodes, cf_json_node *value) {
  return is_container(value) ? nodes + value->link : value + 1;
}

#endif
