#include "clock.h"
#include "formatter.h"
#include "grouping.h"
#include "plural.h"

#define UNITS 7
#define CATEGORIES 6
#define TEXTS (UNITS * 2 * CATEGORIES)

typedef enum unit { UNIT_SECOND, UNIT_MINUTE, UNIT_HOUR, UNIT_DAY, UNIT_WEEK, UNIT_MONTH, UNIT_YEAR } unit;

/// What comes before a number and after it; all of it before, if there is no number.
typedef struct text {
  cf_ref before;
  cf_ref after;
} text;

/// The body of a relative date's formatter. Of each unit: the past, then the future, each in its plural categories.
typedef struct relative {
  cf_plural_rules rules;
  cf_grouping grouping;
  cf_ref now;
  cf_ref today;
  text texts[TEXTS];
  bool has_number[TEXTS];
} relative;

/// A distance in time: so many units, before now or after.
typedef struct distance {
  unit unit;
  bool is_future;
  uint64_t count;
} distance;

// MARK: Making

static text build_text(cf_builder *builder, cf_words words, bool *has_number) {
  const uint8_t *place = words.count ? memchr(words.bytes, CF_PLACEHOLDER, words.count) : NULL;
  size_t before = place ? (size_t)(place - words.bytes) : words.count;
  *has_number = place != NULL;
  text text = {cf_build_text(builder, (cf_words){words.bytes, before}), {0, 0}};
  if (place) text.after = cf_build_text(builder, (cf_words){place + 1, words.count - before - 1});
  return text;
}

void cf_make_relative(cf_builder *builder) {
  cf_formatter *formatter = cf_built(builder);
  cf_group group = formatter->format.length == CF_SHORT ? CF_GROUP_RELATIVE_SHORT : CF_GROUP_RELATIVE_LONG;
  relative *relative = (struct relative *)(builder->bytes + cf_build_room(builder, sizeof(struct relative)));
  relative->rules = cf_build_plural_rules(builder, CF_GROUP_CARDINAL);
  relative->grouping = cf_build_grouping(builder, builder->numbers, CF_SLOT_SEPARATOR, CF_SLOT_NUMBER_GROUPING);
  relative->now = cf_build_slot(builder, group, 0);
  relative->today = cf_build_slot(builder, group, 1);
  size_t most = relative->now.count > relative->today.count ? relative->now.count : relative->today.count;
  for (uint32_t index = 0; index < TEXTS; index++) {
    cf_words words = cf_slot(builder->pack, builder->locale, group, 2 + index);
    relative->texts[index] = build_text(builder, words, &relative->has_number[index]);
    if (words.count > most) most = words.count;
  }
  // Years have four digits at most.
  cf_set_bound(builder, most + 5 * ((size_t)formatter->zero_count + relative->grouping.separator.count));
}

// MARK: Distances

/// The months that have passed from one clock's time to another's. From the end of a month they end with the last day
/// of a shorter one.
static int32_t months_between(const cf_wall *now, const cf_wall *then, bool is_future) {
  int32_t sign = is_future ? 1 : -1, length = cf_month_length(then->day.year, then->day.month);
  int32_t months = sign * ((then->day.year - now->day.year) * 12 + then->day.month - now->day.month);
  int32_t day = now->day.day < length ? now->day.day : length;
  int32_t order = day != then->day.day ? day - then->day.day : now->second - then->second;
  return months > 0 && sign * order > 0 ? months - 1 : months;
}

static distance distance_of(
    const cf_wall *now, const cf_wall *then, bool is_future, uint64_t days, uint64_t seconds) {
  int32_t months = months_between(now, then, is_future);
  if (months >= 12) return (distance){UNIT_YEAR, is_future, (uint64_t)months / 12};
  if (months >= 1) return (distance){UNIT_MONTH, is_future, (uint64_t)months};
  if (days >= 7) return (distance){UNIT_WEEK, is_future, days / 7};
  if (days >= 1) return (distance){UNIT_DAY, is_future, days};
  if (seconds >= 3600) return (distance){UNIT_HOUR, is_future, seconds / 3600};
  if (seconds >= 60) return (distance){UNIT_MINUTE, is_future, seconds / 60};
  return (distance){UNIT_SECOND, is_future, seconds};
}

// MARK: Printing

static int32_t put_distance(const cf_formatter *formatter, distance distance, uint8_t *target) {
  const relative *relative = cf_body(formatter);
  cf_plural_category category = cf_plural_of_integer(formatter, &relative->rules, distance.count);
  size_t index = ((size_t)distance.unit * 2 + distance.is_future) * CATEGORIES + category;
  text text = relative->texts[index];
  uint8_t *end = cf_put(target, formatter, text.before);
  if (relative->has_number[index]) {
    uint8_t digits[20], *first = digits + sizeof digits;
    for (uint64_t rest = distance.count; first == digits + sizeof digits || rest > 0; rest /= 10) {
      *--first = (uint8_t)('0' + rest % 10);
    }
    end = cf_put_whole(end, formatter, &relative->grouping, first, (size_t)(digits + sizeof digits - first));
    end = cf_put(end, formatter, text.after);
  }
  return (int32_t)(end - target);
}

int32_t cf_print_relative(
    const cf_formatter *formatter, const uint8_t *value, size_t count, cf_clock *clock, uint8_t *target) {
  const relative *relative = cf_body(formatter);
  cf_moment moment;
  if (!cf_moment_read(&moment, value, count, formatter->format.epoch)) return CF_MISFIT;
  cf_wall now = cf_wall_of(clock, clock->now), then = cf_wall_of_moment(clock, &moment);
  if (moment.form == CF_DAY_ALONE) {
    int32_t days = moment.days - now.days;
    if (days == 0) return (int32_t)(cf_put(target, formatter, relative->today) - target);
    now.second = 0;
    distance distance = distance_of(&now, &then, days > 0, (uint64_t)(days < 0 ? -days : days), 0);
    return put_distance(formatter, distance, target);
  }
  int64_t written = cf_moment_written(&moment), instant = written - moment.offset;
  if (moment.form == CF_WALL_CLOCK) instant = cf_instant_of(clock, written);
  int64_t seconds = instant - clock->now;
  if (seconds == 0) return (int32_t)(cf_put(target, formatter, relative->now) - target);
  uint64_t passed = (uint64_t)(seconds < 0 ? -seconds : seconds);
  return put_distance(formatter, distance_of(&now, &then, seconds > 0, passed / CF_DAY_SECONDS, passed), target);
}
