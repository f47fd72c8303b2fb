// Repeated names in an object: the last member with a name counts.

#include "nodes.hpp"
#include "parser.hpp"

void mark_superseded(cf_json_parser *parser, uint32_t object) noexcept {
  cf_json_node *nodes = parser->nodes;
  cf_json_node *end = nodes + nodes[object].link;
  uint32_t key_head = ((nodes[object].head >> 16) + 1) << 16 | CF_JSON_KEY;
  for (cf_json_node *key = nodes + object + 1; key < end; key = end_of_value(nodes, key + 1)) {
    uint32_t id = key->link;
    if (id == CF_JSON_UNKNOWN_NAME) continue;
    // An entry of the table may be left from another object or text. It counts only if it is an earlier key
    // of this object with this id. So the table is never cleared, and the pass costs only this object's
    // members.
    uint32_t place = uint32_t(key - nodes);
    uint32_t earlier = parser->last_key[id];
    parser->last_key[id] = place;
    if (earlier <= object || earlier >= place || nodes[earlier].link != id) continue;
    if ((nodes[earlier].head & ~uint32_t(CF_JSON_SUPERSEDED)) != key_head) continue;
    nodes[earlier].head |= CF_JSON_SUPERSEDED;
    nodes[object].head |= CF_JSON_HAS_SUPERSEDED;
  }
}
