#include "number.h"

#define LETTERS 26
/// More than any locale has.
#define CURRENCY_LIMIT 1024

/// The slots from which a kind takes what it prints with.
typedef struct slots {
  uint32_t decimal;
  uint32_t separator;
  uint32_t affixes;
  uint32_t grouping;
} slots;

static const slots number_slots = {
    CF_SLOT_DECIMAL, CF_SLOT_SEPARATOR, CF_SLOT_NUMBER_AFFIXES, CF_SLOT_NUMBER_GROUPING};
static const slots percent_slots = {
    CF_SLOT_DECIMAL, CF_SLOT_SEPARATOR, CF_SLOT_PERCENT_AFFIXES, CF_SLOT_PERCENT_GROUPING};
static const slots money_slots = {
    CF_SLOT_MONEY_DECIMAL, CF_SLOT_MONEY_SEPARATOR, CF_SLOT_MONEY_AFFIXES, CF_SLOT_MONEY_GROUPING};
static const slots own_slots = {CF_OWN_DECIMAL, CF_OWN_SEPARATOR, CF_OWN_AFFIXES, CF_OWN_GROUPING};

static way build_way(cf_builder *builder, cf_group group, uint32_t start, slots slots) {
  way way = {0};
  way.decimal = cf_build_slot(builder, group, start + slots.decimal);
  way.grouping = cf_build_grouping(builder, group, start + slots.separator, start + slots.grouping);
  for (uint32_t index = 0; index < 6; index++) {
    cf_words affix = cf_slot(builder->pack, builder->locale, group, start + slots.affixes + index);
    bool has_symbol = cf_built(builder)->format.kind == CF_CURRENCY;
    way.affixes.pairs[index / 2][index % 2] =
        has_symbol ? cf_build_affix(builder, affix) : cf_build_text(builder, affix);
  }
  return way;
}

static int compare_code(cf_words words, const uint8_t *code) {
  return words.count < CODE_BYTES ? -1 : memcmp(words.bytes, code, CODE_BYTES);
}

/// Finds a currency's entry in a group that is sorted by code. An entry has `step` strings. Returns -1 if there is none.
static int32_t find_code(
    const cf_builder *builder, uint32_t locale, cf_group group, uint32_t step, const uint8_t *code) {
  uint32_t low = 0, high = cf_slots(builder->pack, locale, group) / step;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    int order = compare_code(cf_slot(builder->pack, locale, group, step * middle), code);
    if (order == 0) return (int32_t)middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

static uint8_t digits_of(const cf_builder *builder, const uint8_t *code) {
  int32_t found = find_code(builder, 0, CF_GROUP_CODES, 1, code);
  if (found < 0) return USUAL_DIGITS;
  cf_words words = cf_slot(builder->pack, 0, CF_GROUP_CODES, (uint32_t)found);
  bool has_digit = words.count == CODE_BYTES + 1 && words.bytes[3] >= '0' && words.bytes[3] <= '9';
  return has_digit ? words.bytes[3] - '0' : USUAL_DIGITS;
}

/// Which of a locale's own ways a currency has, from 1; 0 if none.
static uint32_t own_of(const cf_builder *builder, const uint8_t *code) {
  uint32_t count = cf_slots(builder->pack, builder->locale, CF_GROUP_OWN_PATTERNS) / CF_OWN_SLOTS;
  for (uint32_t index = 0; index < count; index++) {
    cf_words words =
        cf_slot(builder->pack, builder->locale, CF_GROUP_OWN_PATTERNS, CF_OWN_SLOTS * index + CF_OWN_CODE);
    if (words.count == CODE_BYTES && compare_code(words, code) == 0) return index + 1;
  }
  return 0;
}

static cf_ref build_symbol(cf_builder *builder, const uint8_t *code) {
  cf_symbol symbol = cf_built(builder)->format.symbol;
  cf_words words = {NULL, 0};
  if (symbol != CF_SYMBOL_CODE) {
    uint32_t slot = symbol == CF_SYMBOL_NARROW ? 2 : 1;
    int32_t found = find_code(builder, builder->locale, CF_GROUP_SYMBOLS, 3, code);
    uint32_t locale = found >= 0 ? builder->locale : 0;
    if (found < 0) found = find_code(builder, 0, CF_GROUP_SYMBOLS, 3, code);
    if (found >= 0) words = cf_slot(builder->pack, locale, CF_GROUP_SYMBOLS, 3 * (uint32_t)found + slot);
  }
  if (words.count > 0 && words.bytes[0] >= '0' && words.bytes[0] <= '3') return cf_build_text(builder, words);
  uint8_t text[1 + CODE_BYTES] = {'0' + (CF_SPACE_BEFORE | CF_SPACE_BEHIND), code[0], code[1], code[2]};
  return cf_build_text(builder, (cf_words){text, sizeof text});
}

static money build_money(cf_builder *builder, const uint8_t *code) {
  money money = {{code[0], code[1], code[2]}, digits_of(builder, code), {0, 0}, own_of(builder, code)};
  money.symbol = build_symbol(builder, code);
  return money;
}

/// The most bytes of an affix with a symbol. A hostile pack may have more placeholders than one.
static size_t affix_bound(const uint8_t *affix, size_t count, size_t symbol_count) {
  size_t bound = 0;
  for (size_t index = 0; index < count; index++) {
    bound += affix[index] == CF_PLACEHOLDER ? symbol_count + sizeof no_break_space : 1;
  }
  return bound;
}

/// Replaces placeholders of the affixes by the only symbol.
static void fill_affixes(cf_builder *builder, affixes *affixes, cf_ref symbol) {
  for (int index = 0; index < 6; index++) {
    cf_ref *affix = &affixes->pairs[index / 2][index % 2];
    uint8_t text[2 * CF_STRING_LIMIT];
    const uint8_t *bytes = builder->bytes + affix->start;
    if (affix_bound(bytes, affix->count, symbol.count) > sizeof text) {
      builder->is_full = true;
      return;
    }
    uint8_t *end = put_affix(text, bytes, affix->count, index % 2 == 0, builder->bytes + symbol.start, symbol.count);
    *affix = cf_build_text(builder, (cf_words){text, (size_t)(end - text)});
  }
}

static void set_digits(number *number, const cf_format *format, uint8_t own) {
  bool is_auto = format->minimum_digits == CF_DIGITS_AUTO;
  number->least_digits = is_auto ? own : format->minimum_digits;
  number->most_digits = is_auto ? own : format->maximum_digits;
}

/// A bit for each code, in their order.
typedef struct code_set {
  uint64_t bits[(LETTERS * LETTERS * LETTERS + 63) / 64];
} code_set;

/// Adds the codes of a group, one in so many strings.
static void add_codes(const cf_builder *builder, uint32_t locale, cf_group group, uint32_t step, code_set *codes) {
  uint32_t slots = cf_slots(builder->pack, locale, group);
  for (uint32_t slot = 0; slot < slots; slot += step) {
    cf_words words = cf_slot(builder->pack, locale, group, slot);
    if (words.count < CODE_BYTES || !is_code(words.bytes, CODE_BYTES)) continue;
    const uint8_t *code = words.bytes;
    uint32_t number = ((code[0] - 'A') * LETTERS + code[1] - 'A') * LETTERS + code[2] - 'A';
    codes->bits[number / 64] |= UINT64_C(1) << number % 64;
  }
}

/// The number of codes; writes them, sorted.
static size_t list_codes(const code_set *codes, uint8_t (*target)[CODE_BYTES], size_t most) {
  size_t count = 0;
  for (uint32_t word = 0; word < sizeof codes->bits / sizeof *codes->bits; word++) {
    for (uint64_t bits = codes->bits[word]; bits && count < most; bits &= bits - 1) {
      uint32_t number = word * 64 + (uint32_t)__builtin_ctzll(bits);
      target[count][0] = (uint8_t)('A' + number / LETTERS / LETTERS);
      target[count][1] = (uint8_t)('A' + number / LETTERS % LETTERS);
      target[count++][2] = (uint8_t)('A' + number % LETTERS);
    }
  }
  return count;
}

/// Adds all currencies that are not written by their code with two digits.
static void build_currencies(cf_builder *builder, number *number) {
  uint8_t codes[CURRENCY_LIMIT][CODE_BYTES];
  code_set found = {0};
  add_codes(builder, builder->locale, CF_GROUP_SYMBOLS, 3, &found);
  add_codes(builder, 0, CF_GROUP_SYMBOLS, 3, &found);
  add_codes(builder, 0, CF_GROUP_CODES, 1, &found);
  add_codes(builder, builder->locale, CF_GROUP_OWN_PATTERNS, CF_OWN_SLOTS, &found);
  size_t count = list_codes(&found, codes, CURRENCY_LIMIT);
  number->currency_start = cf_build_room(builder, count * sizeof(money));
  uint32_t ways = cf_slots(builder->pack, builder->locale, CF_GROUP_OWN_PATTERNS) / CF_OWN_SLOTS;
  number->own_start = cf_build_room(builder, ways * sizeof(way));
  number->currencies = (uint32_t)count;
  number->own_ways = ways;
  for (size_t index = 0; index < count && !builder->is_full; index++) {
    money money = build_money(builder, codes[index]);
    memcpy(builder->bytes + number->currency_start + index * sizeof money, &money, sizeof money);
  }
  for (uint32_t index = 0; index < ways && !builder->is_full; index++) {
    way way = build_way(builder, CF_GROUP_OWN_PATTERNS, CF_OWN_SLOTS * index, own_slots);
    memcpy(builder->bytes + number->own_start + index * sizeof way, &way, sizeof way);
  }
}

static size_t affixes_bound(const cf_builder *builder, const affixes *affixes, size_t symbol_count) {
  size_t most = 0;
  for (int index = 0; index < 3; index++) {
    size_t bound = 0;
    for (int side = 0; side < 2; side++) {
      cf_ref affix = affixes->pairs[index][side];
      bound += affix_bound(builder->bytes + affix.start, affix.count, symbol_count);
    }
    if (bound > most) most = bound;
  }
  return most;
}

static size_t way_bound(const cf_builder *builder, const way *way, size_t symbol_count) {
  // Rounding may add a digit.
  size_t digits = CF_NUMBER_DIGITS_LIMIT + 1, zero_count = cf_built((cf_builder *)builder)->zero_count;
  size_t groups = way->grouping.last ? digits : 0;
  return affixes_bound(builder, &way->affixes, symbol_count) + zero_count * (digits + CF_DIGITS_LIMIT) +
         groups * way->grouping.separator.count + way->decimal.count;
}

static size_t bound_of(const cf_builder *builder, const number *number) {
  size_t symbol_count = 1 + CODE_BYTES;
  for (uint32_t index = 0; index < number->currencies; index++) {
    money money;
    memcpy(&money, builder->bytes + number->currency_start + index * sizeof money, sizeof money);
    if (money.symbol.count > symbol_count) symbol_count = money.symbol.count;
  }
  size_t bound = way_bound(builder, &number->way, symbol_count);
  for (uint32_t index = 0; index < number->own_ways; index++) {
    way way;
    memcpy(&way, builder->bytes + number->own_start + index * sizeof way, sizeof way);
    size_t other = way_bound(builder, &way, symbol_count);
    if (other > bound) bound = other;
  }
  return bound;
}

void cf_make_number(cf_builder *builder) {
  const cf_format *format = &cf_built(builder)->format;
  number *number = (struct number *)(builder->bytes + cf_build_room(builder, sizeof(struct number)));
  bool is_money = format->kind == CF_CURRENCY;
  number->shift = format->kind == CF_PERCENT ? 2 : 0;
  slots slots = is_money ? money_slots : format->kind == CF_PERCENT ? percent_slots : number_slots;
  way way = build_way(builder, builder->numbers, 0, slots);
  set_digits(number, format, CF_DIGITS_AUTO);
  if (is_money && format->currency[0]) {
    money money = build_money(builder, format->currency);
    if (money.own) way = build_way(builder, CF_GROUP_OWN_PATTERNS, CF_OWN_SLOTS * (money.own - 1), own_slots);
    fill_affixes(builder, &way.affixes, money.symbol);
    set_digits(number, format, money.digits);
  } else if (is_money) {
    number->is_named = true;
    build_currencies(builder, number);
  }
  number->way = way;
  number->prints_as_sent = !number->is_named && number->shift == 0 && cf_built(builder)->zero_count == 1;
  if (!builder->is_full) cf_set_bound(builder, bound_of(builder, number));
}
