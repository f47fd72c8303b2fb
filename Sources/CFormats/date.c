#include "clock.h"
#include "formatter.h"

#define TABLES 8

/// The body of a date's formatter. A `datetime` has the date's pattern for a date alone. `names` are where the names
/// of months and days of the week start that the patterns use, by their field, else 0.
typedef struct date {
  cf_ref pattern;
  cf_ref date_pattern;
  uint32_t names[TABLES];
  uint32_t hours;
  cf_ref halves[2];
  cf_ref era;
} date;

// MARK: Making

static uint32_t pattern_slot(const cf_format *format) {
  switch (format->kind) {
  case CF_TIME: return CF_PATTERN_TIME + format->length;
  case CF_DATETIME: return CF_PATTERN_BOTH + format->length;
  default:
    return format->length <= CF_FULL ? CF_PATTERN_DATE + format->length
                                     : CF_PATTERN_FIELDS + format->length - CF_MONTH_DAY;
  }
}

/// Adds texts of a group. Returns where their references start.
static uint32_t build_names(cf_builder *builder, cf_group group, uint32_t first, uint32_t count) {
  uint32_t start = cf_build_room(builder, count * sizeof(cf_ref));
  for (uint32_t index = 0; index < count && !builder->is_full; index++) {
    cf_ref name = cf_build_slot(builder, group, first + index);
    memcpy(builder->bytes + start + index * sizeof name, &name, sizeof name);
  }
  return start;
}

static size_t longest(const cf_builder *builder, uint32_t start, uint32_t count) {
  size_t most = 0;
  for (uint32_t index = 0; index < count; index++) {
    cf_ref name;
    memcpy(&name, builder->bytes + start + index * sizeof name, sizeof name);
    if (name.count > most) most = name.count;
  }
  return most;
}

/// Adds the names of a field, unless they are there. Returns the most bytes that it prints.
static size_t build_field(cf_builder *builder, date *date, uint8_t field) {
  size_t digits = 5 * (size_t)cf_built(builder)->zero_count;
  if (field >= CF_FIELD_MONTH && field < CF_FIELDS) {
    bool is_month = field < CF_FIELD_WEEKDAY;
    uint32_t form = (uint32_t)field - (is_month ? CF_FIELD_MONTH : CF_FIELD_WEEKDAY), count = is_month ? 12 : 7;
    uint32_t *names = &date->names[field - CF_FIELD_MONTH];
    if (*names == 0)
      *names = build_names(builder, is_month ? CF_GROUP_MONTHS : CF_GROUP_WEEKDAYS, form * count, count);
    return builder->is_full ? 0 : longest(builder, *names, count);
  }
  switch (field) {
  case CF_FIELD_DAY_HALF:
    for (uint32_t half = 0; half < 2; half++) date->halves[half] = cf_build_slot(builder, CF_GROUP_DAY_PERIODS, half);
    return date->halves[0].count > date->halves[1].count ? date->halves[0].count : date->halves[1].count;
  case CF_FIELD_DAY_PERIOD:
    if (date->hours == 0) date->hours = build_names(builder, CF_GROUP_DAY_PERIODS, 2, 24);
    return builder->is_full ? 0 : longest(builder, date->hours, 24);
  case CF_FIELD_ERA: date->era = cf_build_slot(builder, CF_GROUP_DAY_PERIODS, 26); return date->era.count;
  default: return digits;
  }
}

/// Adds a pattern with what its fields need. Returns the most bytes that it prints.
static size_t build_pattern(cf_builder *builder, date *date, uint32_t slot, cf_ref *pattern) {
  cf_words words = cf_slot(builder->pack, builder->locale, CF_GROUP_PATTERNS, slot);
  bool was_plain = cf_built(builder)->is_plain;
  *pattern = cf_build_text(builder, words);
  cf_built(builder)->is_plain = was_plain;
  size_t bound = 0;
  for (size_t index = 0; index < words.count; index++) {
    uint8_t byte = words.bytes[index];
    if (byte < ' ') {
      bound += build_field(builder, date, byte);
    } else {
      bound++;
      if (cf_needs_escape(byte)) cf_built(builder)->is_plain = false;
    }
  }
  return bound;
}

void cf_make_date(cf_builder *builder) {
  const cf_format *format = &cf_built(builder)->format;
  uint32_t body = cf_build_room(builder, sizeof(date));
  date date = {0};
  size_t bound = build_pattern(builder, &date, pattern_slot(format), &date.pattern);
  if (format->kind == CF_DATETIME) {
    size_t other = build_pattern(builder, &date, CF_PATTERN_DATE + format->length, &date.date_pattern);
    if (other > bound) bound = other;
  }
  memcpy(builder->bytes + body, &date, sizeof date);
  cf_set_bound(builder, bound);
}

// MARK: Printing

static uint8_t *put_two(uint8_t *target, const cf_formatter *formatter, int32_t value) {
  target = cf_put_digit(target, formatter, (uint32_t)value / 10);
  return cf_put_digit(target, formatter, (uint32_t)value % 10);
}

static uint8_t *put_short(uint8_t *target, const cf_formatter *formatter, int32_t value) {
  if (value >= 10) target = cf_put_digit(target, formatter, (uint32_t)value / 10);
  return cf_put_digit(target, formatter, (uint32_t)value % 10);
}

static uint8_t *put_year(uint8_t *target, const cf_formatter *formatter, int32_t year, bool is_padded) {
  if (year >= 1000 && formatter->zero_count == 1) {
    uint32_t front = (uint32_t)year / 100, back = (uint32_t)year % 100;
    target[0] = (uint8_t)(formatter->zero[0] + front / 10);
    target[1] = (uint8_t)(formatter->zero[0] + front % 10);
    target[2] = (uint8_t)(formatter->zero[0] + back / 10);
    target[3] = (uint8_t)(formatter->zero[0] + back % 10);
    return target + 4;
  }
  if (year < 100 && !is_padded) return put_short(target, formatter, year);
  if (year >= 1000 || is_padded) target = cf_put_digit(target, formatter, (uint32_t)year / 1000);
  target = cf_put_digit(target, formatter, (uint32_t)year / 100 % 10);
  return put_two(target, formatter, year % 100);
}

static uint8_t *put_name(uint8_t *target, const cf_formatter *formatter, uint32_t names, int32_t index) {
  return cf_put(target, formatter, ((const cf_ref *)((const uint8_t *)formatter + names))[index]);
}

static int32_t hour_of(const cf_wall *wall) { return wall->second / 3600; }

static int32_t hour_of_twelve(const cf_wall *wall) { return hour_of(wall) % 12 ? hour_of(wall) % 12 : 12; }

static uint8_t *put_field(uint8_t *target, const cf_formatter *formatter, uint8_t field, const cf_wall *wall) {
  const date *date = cf_body(formatter);
  switch (field) {
  case CF_FIELD_YEAR: return put_year(target, formatter, wall->day.year, false);
  case CF_FIELD_YEAR_2: return put_two(target, formatter, wall->day.year % 100);
  case CF_FIELD_YEAR_4: return put_year(target, formatter, wall->day.year, true);
  case CF_FIELD_MONTH_NUMBER: return put_short(target, formatter, wall->day.month);
  case CF_FIELD_MONTH_2: return put_two(target, formatter, wall->day.month);
  case CF_FIELD_DAY: return put_short(target, formatter, wall->day.day);
  case CF_FIELD_DAY_2: return put_two(target, formatter, wall->day.day);
  case CF_FIELD_HOUR_12: return put_short(target, formatter, hour_of_twelve(wall));
  case CF_FIELD_HOUR_12_2: return put_two(target, formatter, hour_of_twelve(wall));
  case CF_FIELD_HOUR: return put_short(target, formatter, hour_of(wall));
  case CF_FIELD_HOUR_2: return put_two(target, formatter, hour_of(wall));
  case CF_FIELD_MINUTE: return put_short(target, formatter, wall->second / 60 % 60);
  case CF_FIELD_MINUTE_2: return put_two(target, formatter, wall->second / 60 % 60);
  case CF_FIELD_SECOND: return put_short(target, formatter, wall->second % 60);
  case CF_FIELD_SECOND_2: return put_two(target, formatter, wall->second % 60);
  case CF_FIELD_DAY_HALF: return cf_put(target, formatter, date->halves[hour_of(wall) >= 12]);
  case CF_FIELD_DAY_PERIOD: return put_name(target, formatter, date->hours, hour_of(wall));
  case CF_FIELD_ERA: return cf_put(target, formatter, date->era);
  default: break;
  }
  if (field < CF_FIELD_MONTH || field >= CF_FIELDS) return target;
  uint32_t names = date->names[field - CF_FIELD_MONTH];
  if (field < CF_FIELD_WEEKDAY) return put_name(target, formatter, names, wall->day.month - 1);
  // 1970 began on a Thursday; weeks of names begin on Sunday.
  int32_t weekday = (wall->days % 7 + 7 + 4) % 7;
  return put_name(target, formatter, names, weekday);
}

int32_t cf_print_date(
    const cf_formatter *formatter, const uint8_t *value, size_t count, cf_clock *clock, uint8_t *target) {
  cf_moment moment;
  if (!cf_moment_read(&moment, value, count, formatter->format.epoch)) return CF_MISFIT;
  const date *date = cf_body(formatter);
  cf_ref pattern = date->pattern;
  if (moment.form == CF_DAY_ALONE) {
    if (formatter->format.kind == CF_TIME) return CF_MISFIT;
    if (formatter->format.kind == CF_DATETIME) pattern = date->date_pattern;
  }
  cf_wall wall = cf_wall_of_moment(clock, &moment);
  if (wall.day.year < 1 || wall.day.year > 9999) return CF_MISFIT;
  uint8_t *end = target;
  const uint8_t *at = (const uint8_t *)formatter + pattern.start;
  for (const uint8_t *last = at + pattern.count; at < last; at++) {
    if (*at >= ' ') *end++ = *at;
    else end = put_field(end, formatter, *at, &wall);
  }
  return (int32_t)(end - target);
}
