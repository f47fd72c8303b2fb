#include "reader.h"
#include "zones.h"

/// The farthest that a clock is from UTC, and the farthest that a change is from its day, in seconds.
#define OFFSET_LIMIT (25 * 3600)
#define TURN_LIMIT (168 * 3600)

/// One to three digits; -1 if there are none.
static int32_t take_number(cf_reader *reader) {
  int32_t number = 0, count = 0;
  for (; reader->at < reader->end && (uint8_t)(*reader->at - '0') < 10 && count < 3; count++) {
    number = number * 10 + (*reader->at++ - '0');
  }
  return count ? number : -1;
}

/// `CET`, or anything between `<` and `>`.
static bool take_name(cf_reader *reader) {
  const uint8_t *start = reader->at;
  if (cf_take(reader, '<')) {
    while (reader->at < reader->end && *reader->at != '>') reader->at++;
    return cf_take(reader, '>');
  }
  while (reader->at < reader->end && (uint8_t)((*reader->at | 32) - 'a') < 26) reader->at++;
  return reader->at > start;
}

/// Hours, minutes, seconds, with a sign perhaps.
static bool take_time(cf_reader *reader, int32_t limit, int32_t *seconds) {
  int32_t sign = cf_take(reader, '-') ? -1 : 1;
  if (sign > 0) cf_take(reader, '+');
  int32_t hours = take_number(reader), minutes = 0, rest = 0;
  if (hours >= 0 && cf_take(reader, ':')) {
    minutes = take_number(reader);
    if (minutes >= 0 && cf_take(reader, ':')) rest = take_number(reader);
  }
  if (hours < 0 || minutes < 0 || minutes > 59 || rest < 0 || rest > 59) return false;
  *seconds = sign * (hours * 3600 + minutes * 60 + rest);
  return *seconds >= -limit && *seconds <= limit;
}

static bool take_turn(cf_reader *reader, cf_zone_turn *turn) {
  if (!cf_take(reader, ',')) return false;
  if (cf_take(reader, 'M')) {
    turn->form = CF_TURN_WEEKDAY;
    turn->month = take_number(reader);
    turn->week = cf_take(reader, '.') ? take_number(reader) : -1;
    turn->day = cf_take(reader, '.') ? take_number(reader) : -1;
    if (turn->month < 1 || turn->month > 12 || turn->week < 1 || turn->week > 5) return false;
    if (turn->day < 0 || turn->day > 6) return false;
  } else {
    turn->form = cf_take(reader, 'J') ? CF_TURN_JULIAN : CF_TURN_DAY;
    turn->day = take_number(reader);
    if (turn->day < (turn->form == CF_TURN_JULIAN ? 1 : 0) || turn->day > 365) return false;
  }
  turn->second = 2 * 3600;
  return !cf_take(reader, '/') || take_time(reader, TURN_LIMIT, &turn->second);
}

bool cf_zone_rule_read(const uint8_t *bytes, size_t count, cf_zone_rule *rule) {
  cf_reader reader = {bytes, bytes + count};
  *rule = (cf_zone_rule){0};
  // POSIX counts to the west.
  if (!take_name(&reader) || !take_time(&reader, OFFSET_LIMIT, &rule->standard)) return false;
  rule->standard = -rule->standard;
  rule->is_there = true;
  if (reader.at == reader.end) return true;
  rule->has_summer = true;
  if (!take_name(&reader)) return false;
  rule->summer = rule->standard + 3600;
  if (reader.at < reader.end && *reader.at != ',') {
    if (!take_time(&reader, OFFSET_LIMIT, &rule->summer)) return false;
    rule->summer = -rule->summer;
  }
  return take_turn(&reader, &rule->start) && take_turn(&reader, &rule->end) && reader.at == reader.end;
}

/// The day of a year on which a clock is changed.
static int32_t day_of_turn(const cf_zone_turn *turn, int32_t year) {
  int32_t first = cf_days_of((cf_day){year, 1, 1});
  bool is_leap = cf_month_length(year, 2) == 29;
  if (turn->form == CF_TURN_DAY) return first + turn->day;
  // Counted without leap days.
  if (turn->form == CF_TURN_JULIAN) return first + turn->day - 1 + (is_leap && turn->day > 59);
  int32_t day = cf_days_of((cf_day){year, turn->month, 1});
  int32_t weekday = ((day + 4) % 7 + 7) % 7;
  int32_t month_day = (turn->day - weekday + 7) % 7 + (turn->week - 1) * 7;
  // The fifth is the last.
  if (month_day >= cf_month_length(year, turn->month)) month_day -= 7;
  return day + month_day;
}

int32_t cf_zone_rule_offset(const cf_zone_rule *rule, int64_t instant, int64_t *from, int64_t *until) {
  *from = INT64_MIN;
  *until = INT64_MAX;
  if (!rule->has_summer) return rule->standard;
  int64_t days = (instant + rule->standard) / CF_DAY_SECONDS - ((instant + rule->standard) % CF_DAY_SECONDS < 0);
  int32_t year = cf_day_of((int32_t)days).year;
  int32_t offset = rule->standard;
  // The last change until then, and the first after it, are within a year.
  for (int32_t near = year - 1; near <= year + 1; near++) {
    int64_t start = (int64_t)day_of_turn(&rule->start, near) * CF_DAY_SECONDS + rule->start.second - rule->standard;
    int64_t end = (int64_t)day_of_turn(&rule->end, near) * CF_DAY_SECONDS + rule->end.second - rule->summer;
    int64_t changes[2] = {start, end};
    for (int index = 0; index < 2; index++) {
      if (changes[index] <= instant) {
        // Where summer ends as the next begins, the later word counts.
        if (changes[index] > *from || (changes[index] == *from && index == 0)) {
          *from = changes[index];
          offset = index == 0 ? rule->summer : rule->standard;
        }
      } else if (changes[index] < *until) {
        *until = changes[index];
      }
    }
  }
  return offset;
}
