/// The Gregorian calendar, which goes back to before it was made (ISO 8601), for the years -400 and on.
///
/// Cassio Neri and Lorenz Schneider, "Euclidean affine functions and their application to calendar algorithms", 2022:
/// years begin in March, so that leap days are last, and multiplications stand for most divisions.
#ifndef CF_CALENDAR_H
#define CF_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#define CF_DAY_SECONDS 86400

typedef struct cf_day {
  int32_t year;
  int32_t month;
  int32_t day;
} cf_day;

/// Days from 1 March of the year -400, and years, so that nothing is below 0.
#define CF_CALENDAR_DAYS (719468 + 146097)
#define CF_CALENDAR_YEARS 400

/// The days from 1970 to a day.
static inline int32_t cf_days_of(cf_day day) {
  uint32_t is_before_march = day.month <= 2;
  uint32_t year = (uint32_t)(day.year + CF_CALENDAR_YEARS) - is_before_march, century = year / 100;
  uint32_t month = (uint32_t)day.month + (is_before_march ? 12 : 0);
  uint32_t of_years = 1461 * year / 4 - century + century / 4, of_months = (979 * month - 2919) / 32;
  return (int32_t)(of_years + of_months + (uint32_t)day.day - 1) - CF_CALENDAR_DAYS;
}

/// The day that is so many days after 1970 began.
static inline cf_day cf_day_of(int32_t days) {
  uint32_t of_century = 4 * (uint32_t)(days + CF_CALENDAR_DAYS) + 3, century = of_century / 146097;
  uint64_t of_year = UINT64_C(2939745) * (of_century % 146097 | 3);
  uint32_t year = 100 * century + (uint32_t)(of_year >> 32), day = (uint32_t)of_year / 2939745 / 4;
  uint32_t of_month = 2141 * day + 197913, is_before_march = day >= 306;
  return (cf_day){
      (int32_t)(year + is_before_march) - CF_CALENDAR_YEARS, (int32_t)(of_month >> 16) - (is_before_march ? 12 : 0),
      (int32_t)((of_month & 0xFFFF) / 2141) + 1};
}

static inline int32_t cf_month_length(int32_t year, int32_t month) {
  bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 ? 28 + is_leap : 30 | (month ^ (month >> 3));
}

#endif
