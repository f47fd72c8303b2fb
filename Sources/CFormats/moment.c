#include "moment.h"

#include <string.h>

#include "digits.h"
#include "reader.h"

/// `2025-10-09T22:30:00`, a fraction, an offset and a zone's name: more is no date.
#define BYTES_LIMIT 128
#define ZONE_NAME_LIMIT 64
/// Seconds from 1970 to the first and after the last second of the years 1 to 9999.
#define FIRST_SECOND (-62135596800)
#define END_SECOND 253402300800

// MARK: Reading

/// Two digits; -1 if there are none.
static int32_t take_two(cf_reader *reader) {
  if (!cf_has(reader, 2)) return -1;
  uint8_t tens = reader->at[0] - '0', ones = reader->at[1] - '0';
  if (tens > 9 || ones > 9) return -1;
  reader->at += 2;
  return tens * 10 + ones;
}

/// `2025-10-09`. Every date begins so: all bytes are looked at together.
static bool read_day(cf_reader *reader, cf_moment *moment) {
  if (!cf_has(reader, 10)) return false;
  const uint8_t *at = reader->at;
  // `2025-10-`, of which digits become numbers and hyphens 0; more than 9 is found by what 6 more makes of it.
  uint8_t bytes[8] = {'0', '0', '0', '0', '-', '0', '0', '-'}, sixes[8] = {6, 6, 6, 6, 0, 6, 6, 0};
  uint8_t highs[8] = {0xF0, 0xF0, 0xF0, 0xF0, 0xFF, 0xF0, 0xF0, 0xFF};
  uint64_t read, plain, six, high;
  memcpy(&read, at, 8);
  memcpy(&plain, bytes, 8);
  memcpy(&six, sixes, 8);
  memcpy(&high, highs, 8);
  uint64_t numbers = read ^ plain;
  uint32_t tens = at[8] - (uint32_t)'0', ones = at[9] - (uint32_t)'0';
  if ((numbers | (numbers + six)) & high || tens > 9 || ones > 9) return false;
  uint8_t digits[8];
  memcpy(digits, &numbers, 8);
  int32_t year = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3];
  int32_t month = digits[5] * 10 + digits[6], day = (int32_t)(tens * 10 + ones);
  reader->at += 10;
  if (month < 1 || month > 12) return false;
  if (year == 0 || day < 1 || day > cf_month_length(year, month)) return false;
  moment->day = (cf_day){year, month, day};
  moment->days = cf_days_of(moment->day);
  return true;
}

static bool read_fraction(cf_reader *reader, cf_moment *moment) {
  const uint8_t *start = reader->at;
  while (cf_has(reader, 1) && (uint8_t)(*reader->at - '0') < 10) {
    if (moment->fraction_count < sizeof moment->fraction) moment->fraction[moment->fraction_count++] = *reader->at;
    reader->at++;
  }
  return reader->at > start;
}

static bool read_time(cf_reader *reader, cf_moment *moment) {
  int32_t hour = take_two(reader);
  if (hour < 0 || hour > 23 || !cf_take(reader, ':')) return false;
  int32_t minute = take_two(reader), second = 0;
  if (minute < 0 || minute > 59) return false;
  if (cf_take(reader, ':')) {
    second = take_two(reader);
    if (second < 0 || second > 60) return false;
    if (cf_take(reader, '.') && !read_fraction(reader, moment)) return false;
    if (second == 60) second = 59;
  }
  moment->second = hour * 3600 + minute * 60 + second;
  moment->form = CF_WALL_CLOCK;
  return true;
}

/// `Z`, `+02:00`, `+0200`, `+02`, or none of these.
static bool read_offset(cf_reader *reader, cf_moment *moment) {
  if (cf_take(reader, 'Z') || cf_take(reader, 'z')) {
    moment->form = CF_INSTANT;
    return true;
  }
  bool is_west = cf_take(reader, '-');
  if (!is_west && !cf_take(reader, '+')) return true;
  int32_t hours = take_two(reader), minutes = 0;
  if (hours < 0 || hours > 23) return false;
  if (cf_take(reader, ':') || (cf_has(reader, 1) && *reader->at != '[')) minutes = take_two(reader);
  if (minutes < 0 || minutes > 59) return false;
  moment->offset = (is_west ? -60 : 60) * (hours * 60 + minutes);
  moment->form = CF_INSTANT;
  return true;
}

/// A zone's name in brackets, which tells nothing that the offset does not.
static bool skip_zone(cf_reader *reader) {
  if (!cf_take(reader, '[')) return true;
  const uint8_t *start = reader->at;
  for (; cf_has(reader, 1) && *reader->at != ']'; reader->at++) {
    uint8_t byte = *reader->at;
    bool is_letter = (uint8_t)((byte | 32) - 'a') < 26, is_digit = (uint8_t)(byte - '0') < 10;
    bool is_sign = byte == '/' || byte == '_' || byte == '+' || byte == '-' || byte == '.' || byte == ':';
    if (!is_letter && !is_digit && !is_sign) return false;
  }
  size_t count = (size_t)(reader->at - start);
  return count > 0 && count <= ZONE_NAME_LIMIT && cf_take(reader, ']');
}

static int64_t floor_divide(int64_t value, int64_t by) { return value / by - (value % by < 0); }

static bool read_epoch(cf_moment *moment, const uint8_t *value, size_t count, uint8_t epoch) {
  cf_digits digits;
  if (!cf_digits_read(&digits, value, count, 0) || digits.whole_count > 18) return false;
  int64_t number = 0;
  for (uint32_t index = 0; index < digits.whole_count; index++) number = number * 10 + (digits.digits[index] - '0');
  if (digits.is_negative) number = -number;
  int64_t seconds = number;
  if (epoch == CF_EPOCH_MILLISECONDS) {
    seconds = floor_divide(number, 1000);
    int32_t rest = (int32_t)(number - seconds * 1000);
    if (rest > 0) {
      moment->fraction_count = 3;
      moment->fraction[0] = (uint8_t)('0' + rest / 100);
      moment->fraction[1] = (uint8_t)('0' + rest / 10 % 10);
      moment->fraction[2] = (uint8_t)('0' + rest % 10);
    }
  }
  if (seconds < FIRST_SECOND || seconds >= END_SECOND) return false;
  moment->days = (int32_t)floor_divide(seconds, CF_DAY_SECONDS);
  moment->second = (int32_t)(seconds - (int64_t)moment->days * CF_DAY_SECONDS);
  moment->day = cf_day_of(moment->days);
  moment->form = CF_INSTANT;
  return true;
}

bool cf_moment_read(cf_moment *moment, const uint8_t *value, size_t count, uint8_t epoch) {
  memset(moment, 0, sizeof *moment);
  if (epoch != CF_EPOCH_NONE) return read_epoch(moment, value, count, epoch);
  if (count > BYTES_LIMIT) return false;
  cf_reader reader = {value, value + count};
  if (!read_day(&reader, moment)) return false;
  if (cf_take(&reader, 'T') || cf_take(&reader, ' ') || cf_take(&reader, 't')) {
    if (!read_time(&reader, moment) || !read_offset(&reader, moment)) return false;
  }
  return skip_zone(&reader) && reader.at == reader.end;
}

bool cf_read_instant(const uint8_t *bytes, size_t count, int64_t *seconds) {
  cf_moment moment;
  if (!cf_moment_read(&moment, bytes, count, CF_EPOCH_NONE) || moment.form != CF_INSTANT) return false;
  *seconds = cf_moment_written(&moment) - moment.offset;
  return true;
}

// MARK: For programs

static uint8_t *put_two(uint8_t *target, int32_t value, uint8_t after) {
  *target++ = (uint8_t)('0' + value / 10);
  *target++ = (uint8_t)('0' + value % 10);
  if (after) *target++ = after;
  return target;
}

/// Prints a date as RFC 3339 has it. Returns the end.
static uint8_t *put_machine_date(uint8_t *target, const cf_moment *moment) {
  target = put_two(target, moment->day.year / 100, 0);
  target = put_two(target, moment->day.year % 100, '-');
  target = put_two(target, moment->day.month, '-');
  target = put_two(target, moment->day.day, 0);
  if (moment->form == CF_DAY_ALONE) return target;
  *target++ = 'T';
  target = put_two(target, moment->second / 3600, ':');
  target = put_two(target, moment->second / 60 % 60, ':');
  target = put_two(target, moment->second % 60, 0);
  if (moment->fraction_count) *target++ = '.';
  for (uint8_t index = 0; index < moment->fraction_count; index++) *target++ = moment->fraction[index];
  if (moment->form == CF_WALL_CLOCK) return target;
  if (moment->offset == 0) {
    *target++ = 'Z';
    return target;
  }
  int32_t minutes = (moment->offset < 0 ? -moment->offset : moment->offset) / 60;
  *target++ = moment->offset < 0 ? '-' : '+';
  target = put_two(target, minutes / 60, ':');
  return put_two(target, minutes % 60, 0);
}

int32_t cf_print_machine(const cf_format *format, const uint8_t *value, size_t count, uint8_t *target) {
  switch (format->kind) {
  case CF_NUMBER:
  case CF_PERCENT:
  case CF_CURRENCY: {
    cf_digits digits;
    if (!cf_digits_read(&digits, value, count, format->kind == CF_PERCENT ? 2 : 0)) return CF_MISFIT;
    memcpy(target, value, count);
    return (int32_t)count;
  }
  case CF_DATE:
  case CF_TIME:
  case CF_DATETIME:
  case CF_RELATIVE: {
    cf_moment moment;
    if (!cf_moment_read(&moment, value, count, format->epoch)) return CF_MISFIT;
    if (format->kind == CF_TIME && moment.form == CF_DAY_ALONE) return CF_MISFIT;
    return (int32_t)(put_machine_date(target, &moment) - target);
  }
  default: return CF_MISFIT;
  }
}
