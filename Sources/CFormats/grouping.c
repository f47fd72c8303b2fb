#include "grouping.h"

cf_grouping cf_build_grouping(cf_builder *builder, cf_group group, uint32_t separator, uint32_t sizes) {
  cf_grouping grouping = {.separator = cf_build_slot(builder, group, separator)};
  cf_words words = cf_slot(builder->pack, builder->locale, group, sizes);
  for (size_t index = 0; index < 3; index++) {
    if (words.count != 3 || words.bytes[index] < '1' || words.bytes[index] > '9') return grouping;
  }
  grouping.last = words.bytes[0] - '0';
  grouping.others = words.bytes[1] - '0';
  grouping.least = words.bytes[2] - '0';
  return grouping;
}
