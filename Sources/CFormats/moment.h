/// Dates as they are sent.
#ifndef CF_MOMENT_H
#define CF_MOMENT_H

#include "calendar.h"
#include "formats.h"

typedef enum cf_moment_form {
  /// A day, in no zone.
  CF_DAY_ALONE,
  /// A day and a time, in no zone.
  CF_WALL_CLOCK,
  /// A day and a time with an offset from UTC.
  CF_INSTANT,
} cf_moment_form;

/// What was read: day and time as written, of which the instant is `offset` seconds before.
typedef struct cf_moment {
  cf_moment_form form;
  cf_day day;
  /// Days since 1970.
  int32_t days;
  /// Of the day.
  int32_t second;
  int32_t offset;
  /// The first digits of a second's fraction, as they are in the value.
  uint8_t fraction_count;
  uint8_t fraction[3];
} cf_moment;

/// Reads a date in the forms of the language; numbers if there is an epoch, a `cf_epoch`. Years 1 to 9999; a leap
/// second is the second before. Returns false for all else. Cost: linear, and constant for what is too long.
bool cf_moment_read(cf_moment *moment, const uint8_t *value, size_t count, uint8_t epoch);

/// Seconds since 1970, of the day and time as written.
static inline int64_t cf_moment_written(const cf_moment *moment) {
  return (int64_t)moment->days * CF_DAY_SECONDS + moment->second;
}

#endif
