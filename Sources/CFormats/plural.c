#include "plural.h"

#include "reader.h"

/// The operands of CLDR's rules (UTS 35, part 3, "Plural Operand Meanings"). Exponents are written out before, so `c`
/// and `e` are 0.
typedef enum operand {
  OPERAND_N,
  OPERAND_I,
  OPERAND_F,
  OPERAND_T,
  OPERAND_V,
  OPERAND_W,
  OPERAND_E,
  OPERANDS,
} operand;

/// A number as the rules see it: each operand's last digits, and whether they are all of them.
typedef struct operands {
  uint64_t values[OPERANDS];
  bool is_long[OPERANDS];
  bool is_whole;
} operands;

/// The most relations of a locale.
#define RELATION_LIMIT 192
/// So many digits fit a number of 64 bits.
#define DIGIT_LIMIT 18

// MARK: Making

// Rules are texts such as `n%10=1&n%100!11-19|v=2,4-6`: choices between `|`, between `&` relations that hold
// together.

static bool read_number(cf_reader *reader, uint32_t *number) {
  const uint8_t *start = reader->at;
  uint64_t value = 0;
  while (reader->at < reader->end && (uint8_t)(*reader->at - '0') < 10 && value < UINT32_MAX) {
    value = value * 10 + (*reader->at++ - '0');
  }
  *number = (uint32_t)value;
  return reader->at > start && value <= UINT32_MAX;
}

static bool read_operand(cf_reader *reader, uint8_t *operand) {
  static const char names[] = "niftvwe";
  if (reader->at == reader->end) return false;
  uint8_t name = *reader->at == 'c' ? 'e' : *reader->at;
  const char *found = name ? strchr(names, name) : NULL;
  if (!found) return false;
  reader->at++;
  *operand = (uint8_t)(found - names);
  return true;
}

/// Reads the relations of a rule. Returns how many; 0 if there are none, or something else.
static uint32_t read_rule(cf_reader reader, cf_relation *relations, uint32_t most) {
  uint32_t count = 0;
  do {
    do {
      cf_relation relation = {0};
      if (!read_operand(&reader, &relation.operand)) return 0;
      if (cf_take(&reader, '%') && (!read_number(&reader, &relation.modulus) || relation.modulus == 0)) return 0;
      relation.is_negated = cf_take(&reader, '!');
      if (!relation.is_negated && !cf_take(&reader, '=')) return 0;
      do {
        if (count == most || !read_number(&reader, &relation.low)) return 0;
        relation.high = relation.low;
        if (cf_take(&reader, '-') && !read_number(&reader, &relation.high)) return 0;
        relations[count++] = relation;
      } while (cf_take(&reader, ','));
      relations[count - 1].ends_relation = true;
    } while (cf_take(&reader, '&'));
    relations[count - 1].ends_choice = true;
  } while (cf_take(&reader, '|'));
  return reader.at == reader.end ? count : 0;
}

cf_plural_rules cf_build_plural_rules(cf_builder *builder, cf_group group) {
  cf_relation relations[RELATION_LIMIT];
  cf_plural_rules rules = {0};
  uint32_t count = 0;
  for (uint32_t category = 0; category < CF_OTHER; category++) {
    cf_words words = cf_slot(builder->pack, builder->locale, group, category);
    count +=
        read_rule((cf_reader){words.bytes, words.bytes + words.count}, relations + count, RELATION_LIMIT - count);
    rules.ends[category] = (uint16_t)count;
  }
  rules.start = cf_build_room(builder, count * sizeof *relations);
  if (!builder->is_full) memcpy(builder->bytes + rules.start, relations, count * sizeof *relations);
  return rules;
}

void cf_make_plural(cf_builder *builder) {
  uint32_t body = cf_build_room(builder, sizeof(cf_plural_rules));
  bool is_ordinal = cf_built(builder)->format.variant == CF_ORDINAL;
  cf_plural_rules rules = cf_build_plural_rules(builder, is_ordinal ? CF_GROUP_ORDINAL : CF_GROUP_CARDINAL);
  memcpy(builder->bytes + body, &rules, sizeof rules);
}

// MARK: Asking

static bool is_in_range(const cf_relation *relation, const operands *operands) {
  uint64_t value = operands->values[relation->operand];
  // A fraction is in no range of whole numbers.
  if (relation->operand == OPERAND_N && !operands->is_whole) return false;
  if (relation->modulus) value %= relation->modulus;
  else if (operands->is_long[relation->operand]) return false;
  return value >= relation->low && value <= relation->high;
}

static bool holds(const cf_relation *at, const cf_relation *end, const operands *operands) {
  bool holds_all = true, is_in = false;
  for (; at < end; at++) {
    is_in |= is_in_range(at, operands);
    if (at->ends_relation) {
      holds_all &= is_in != at->is_negated;
      is_in = false;
    }
    if (at->ends_choice) {
      if (holds_all) return true;
      holds_all = true;
    }
  }
  return false;
}

static cf_plural_category category_of(
    const cf_formatter *formatter, const cf_plural_rules *rules, const operands *operands) {
  const cf_relation *relations = (const cf_relation *)((const uint8_t *)formatter + rules->start);
  uint32_t start = 0;
  for (uint32_t category = 0; category < CF_OTHER; category++) {
    if (holds(relations + start, relations + rules->ends[category], operands)) return (cf_plural_category)category;
    start = rules->ends[category];
  }
  return CF_OTHER;
}

/// Sets an operand to digits: to the last of them, where they are many.
static void set(operands *operands, operand operand, const uint8_t *digits, uint32_t count) {
  while (count > 0 && *digits == '0') {
    digits++;
    count--;
  }
  operands->is_long[operand] = count > DIGIT_LIMIT;
  if (count > DIGIT_LIMIT) {
    digits += count - DIGIT_LIMIT;
    count = DIGIT_LIMIT;
  }
  uint64_t value = 0;
  while (count-- > 0) value = value * 10 + (*digits++ - '0');
  operands->values[operand] = value;
}

cf_plural_category cf_plural_of_digits(
    const cf_formatter *formatter, const cf_plural_rules *rules, const cf_digits *digits) {
  operands operands = {0};
  const uint8_t *fraction = digits->digits + digits->whole_count;
  uint32_t visible = digits->fraction_count;
  while (visible > 0 && fraction[visible - 1] == '0') visible--;
  set(&operands, OPERAND_I, digits->digits, digits->whole_count);
  set(&operands, OPERAND_F, fraction, digits->fraction_count);
  set(&operands, OPERAND_T, fraction, visible);
  operands.values[OPERAND_N] = operands.values[OPERAND_I];
  operands.is_long[OPERAND_N] = operands.is_long[OPERAND_I];
  operands.values[OPERAND_V] = digits->fraction_count;
  operands.values[OPERAND_W] = visible;
  operands.is_whole = visible == 0;
  return category_of(formatter, rules, &operands);
}

cf_plural_category cf_plural_of_integer(
    const cf_formatter *formatter, const cf_plural_rules *rules, uint64_t integer) {
  operands operands = {.values = {[OPERAND_N] = integer, [OPERAND_I] = integer}, .is_whole = true};
  return category_of(formatter, rules, &operands);
}

cf_plural_category cf_plural(const cf_formatter *formatter, const uint8_t *value, size_t count) {
  // Most are short and whole.
  if (count > 0 && count < DIGIT_LIMIT && (*value != '0' || count == 1)) {
    uint64_t integer = 0;
    size_t at = 0;
    for (; at < count && (uint8_t)(value[at] - '0') < 10; at++) integer = integer * 10 + (value[at] - '0');
    if (at == count) return cf_plural_of_count(formatter, integer);
  }
  cf_digits digits;
  return cf_digits_read(&digits, value, count, 0) ? cf_plural_of_digits(formatter, cf_body(formatter), &digits)
                                                  : CF_OTHER;
}

cf_plural_category cf_plural_of_count(const cf_formatter *formatter, uint64_t count) {
  return cf_plural_of_integer(formatter, cf_body(formatter), count);
}
