#include "formatter.h"

/// The words of a locale's lists, by `cf_list_slot`; and the rule by which the next item changes them: 0, or
/// - `e`: Spanish `y` is `e` before the sound of an i;
/// - `u`: Spanish `o` is `u` before that of an o;
/// - `v`: Hebrew `ו` has a hyphen after it before another script. There `OTHER` are the words without it.
typedef struct list {
  uint8_t rule;
  cf_ref words[CF_LIST_SLOTS];
} list;

void cf_make_list(cf_builder *builder) {
  cf_group group = cf_built(builder)->format.variant == CF_LIST_OR ? CF_GROUP_OR : CF_GROUP_AND;
  list *list = (struct list *)(builder->bytes + cf_build_room(builder, sizeof(struct list)));
  cf_words rule = cf_slot(builder->pack, builder->locale, group, CF_LIST_RULE);
  list->rule = rule.count == 1 ? rule.bytes[0] : 0;
  for (uint32_t slot = CF_LIST_TWO; slot < CF_LIST_SLOTS; slot++)
    list->words[slot] = cf_build_slot(builder, group, slot);
}

static uint8_t lower_at(const uint8_t *text, size_t count, size_t index) {
  uint8_t byte = index < count ? text[index] : 0;
  return byte >= 'A' && byte <= 'Z' ? byte | 32 : byte;
}

/// `i`, or `hi` but before `a` and `e`: hielo.
static bool sounds_like_i(const uint8_t *text, size_t count) {
  uint8_t first = lower_at(text, count, 0);
  if (first == 'i') return true;
  if (first != 'h' || lower_at(text, count, 1) != 'i') return false;
  uint8_t third = lower_at(text, count, 2);
  return third != 'a' && third != 'e';
}

/// `o`, `ho`, 8 (ocho), and 11 (once) if it is the first word.
static bool sounds_like_o(const uint8_t *text, size_t count) {
  uint8_t first = lower_at(text, count, 0);
  if (first == 'o' || first == '8') return true;
  if (first == 'h') return lower_at(text, count, 1) == 'o';
  return first == '1' && lower_at(text, count, 1) == '1' && (count == 2 || text[2] == ' ');
}

/// Hebrew letters, and what Unicode says of their script: U+0591 to U+05F4, U+FB1D to U+FB4F. The tables name them.
static bool is_hebrew(const uint8_t *text, size_t count) {
  if (count >= 2 && text[0] == 0xD6) return text[1] >= 0x91;
  if (count >= 2 && text[0] == 0xD7) {
    uint8_t last = text[1];
    return last <= 0x87 || (last >= 0x90 && last <= 0xAA) || (last >= 0xAF && last <= 0xB4);
  }
  if (count < 3 || text[0] != 0xEF) return false;
  uint32_t scalar = 0xF000 | (uint32_t)(text[1] & 0x3F) << 6 | (text[2] & 0x3F);
  return scalar >= 0xFB1D && scalar <= 0xFB4F && scalar != 0xFB37 && scalar != 0xFB3D && scalar != 0xFB3F &&
         scalar != 0xFB42 && scalar != 0xFB45;
}

static bool changes(uint8_t rule, const uint8_t *next, size_t count) {
  switch (rule) {
  case 'e': return sounds_like_i(next, count);
  case 'u': return sounds_like_o(next, count);
  // Nothing is no other script.
  case 'v': return count == 0 || is_hebrew(next, count);
  default: return false;
  }
}

cf_words cf_list_words(
    const cf_formatter *formatter, size_t index, size_t item_count, const uint8_t *next, size_t next_count) {
  const list *list = cf_body(formatter);
  cf_words none = {(const uint8_t *)formatter, 0};
  if (index == 0 || item_count < 2) return none;
  bool is_two = item_count == 2;
  uint32_t slot;
  if (index >= item_count) {
    slot = is_two ? CF_LIST_BEHIND_TWO : CF_LIST_BEHIND;
  } else if (index == item_count - 1) {
    bool is_other = next && changes(list->rule, next, next_count);
    slot = is_two ? (is_other ? CF_LIST_OTHER_TWO : CF_LIST_TWO) : is_other ? CF_LIST_OTHER_END : CF_LIST_END;
  } else {
    slot = index == 1 ? CF_LIST_START : CF_LIST_MIDDLE;
  }
  return (cf_words){(const uint8_t *)formatter + list->words[slot].start, list->words[slot].count};
}
