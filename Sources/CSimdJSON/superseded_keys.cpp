// Marks the keys of an object whose name another key repeats. `repeated_keys.h` in CNodes says which of them count.

#include "repeated_keys.h"

#include "node_order.hpp"
#include "parser.hpp"

uint32_t mark_superseded(cf_json_parser *parser, uint32_t object, uint32_t from, size_t most) noexcept {
  cf_node *nodes = parser->nodes;
  cf_node *end = nodes + nodes[object].link;
  uint32_t key_head = ((nodes[object].head >> CF_NODE_DEPTH_SHIFT) + 1) << CF_NODE_DEPTH_SHIFT | CF_NODE_KEY;
  cf_node *key = nodes + from;
  for (; key < end && most > 0; key = end_of_value(nodes, key + 1), most--) {
    uint32_t id = key->link;
    if (id == CF_NODE_UNKNOWN_NAME) continue;
    // An entry of the table may be left from another object or text. It counts only if it is an earlier key
    // of this object with this id. So the table is never cleared, and the pass costs only this object's
    // members.
    uint32_t place = uint32_t(key - nodes);
    uint32_t earlier = parser->counting_key[id];
    parser->counting_key[id] = place;
    if (earlier <= object || earlier >= place || nodes[earlier].link != id) continue;
    if ((nodes[earlier].head & ~uint32_t(CF_NODE_SUPERSEDED)) != key_head) continue;
    uint32_t counting = cf_key_that_counts(earlier, place);
    parser->counting_key[id] = counting;
    nodes[counting == place ? earlier : place].head |= CF_NODE_SUPERSEDED;
    nodes[object].head |= CF_NODE_HAS_SUPERSEDED;
  }
  return uint32_t(key - nodes);
}
