// Times each format: what one value takes, in nanoseconds, the least of some rounds. Built and run by formats.py.
//
//   formats ZONE_FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats.h"

#define ROUNDS 40
#define TURNS 20000
#define VALUES 8

typedef struct workload {
  const char *name;
  cf_format format;
  const char *values[VALUES];
} workload;

#define AUTO CF_DIGITS_AUTO, CF_DIGITS_AUTO
#define EUR {'E', 'U', 'R', 0}
#define NUMBERS {"1234567.50", "0.5", "42", "-1234.5", "99999", "12.25", "1000", "7"}
#define DATES                                                                                                        \
  {"2025-10-09T22:30:00Z", "2025-01-09T02:30:00Z", "2024-02-29T12:00:00+02:00", "2025-07-09T23:59:59Z",              \
   "2025-12-31T22:30:00Z", "2025-03-30T01:00:00Z", "2019-10-09T22:30:00Z",      "2025-10-09T22:30:00.123Z"}

static const workload workloads[] = {
    {"number", {CF_NUMBER, 0, AUTO, 0, 0, 0, 0, {0}}, NUMBERS},
    {"number digits=1", {CF_NUMBER, 0, 1, 1, 0, 0, 0, 0, {0}}, NUMBERS},
    {"percent", {CF_PERCENT, 0, AUTO, 0, 0, 0, 0, {0}}, NUMBERS},
    {"currency EUR", {CF_CURRENCY, 0, AUTO, 0, 0, 0, 0, EUR}, NUMBERS},
    {"currency name", {CF_CURRENCY, 0, AUTO, 0, 0, 0, 0, {0}}, NUMBERS},
    {"date long", {CF_DATE, CF_LONG, 0, 0, 0, 0, 0, 0, {0}}, DATES},
    {"date full", {CF_DATE, CF_FULL, 0, 0, 0, 0, 0, 0, {0}}, DATES},
    {"time short", {CF_TIME, CF_SHORT, 0, 0, 0, 0, 0, 0, {0}}, DATES},
    {"datetime long", {CF_DATETIME, CF_LONG, 0, 0, 0, 0, 0, 0, {0}}, DATES},
    {"relative long", {CF_RELATIVE, CF_LONG, 0, 0, 0, 0, 0, 0, {0}}, DATES},
    {"plural", {CF_PLURAL, 0, 0, 0, 0, 0, 0, CF_CARDINAL, {0}}, NUMBERS},
};
static const char *const locales[] = {"en-GB", "de-DE", "ja-JP", "ar-EG"};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double measure(const workload *workload, const cf_formatter *formatter, cf_clock *clock, uint8_t *target) {
  size_t counts[VALUES];
  double least = 1e30;
  volatile int32_t sum = 0;
  for (int index = 0; index < VALUES; index++) counts[index] = strlen(workload->values[index]);
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int turn = 0; turn < TURNS; turn++) {
      const uint8_t *value = (const uint8_t *)workload->values[turn % VALUES];
      size_t count = counts[turn % VALUES];
      if (workload->format.kind == CF_PLURAL) sum += (int32_t)cf_plural(formatter, value, count);
      else sum += cf_print(formatter, value, count, (const uint8_t *)"USD", 3, clock, target);
    }
    double each = (now() - start) / TURNS;
    if (each < least) least = each;
  }
  return least;
}

int main(int count, char **words) {
  cf_zones *zones = cf_zones_load(count > 1 ? words[1] : "/usr/share/zoneinfo");
  cf_clock clock;
  int64_t today = 1760011200;
  if (!cf_clock_start(&clock, zones, (const uint8_t *)"Europe/Berlin", 13, today)) {
    printf("no time zones: UTC\n");
    cf_clock_start(&clock, NULL, (const uint8_t *)"UTC", 3, today);
  }
  printf("%-18s", "ns");
  for (size_t index = 0; index < sizeof locales / sizeof *locales; index++) printf("%8s", locales[index]);
  printf("\n");
  for (size_t row = 0; row < sizeof workloads / sizeof *workloads; row++) {
    const workload *workload = &workloads[row];
    printf("%-18s", workload->name);
    for (size_t index = 0; index < sizeof locales / sizeof *locales; index++) {
      cf_tag tag;
      cf_tag_read((const uint8_t *)locales[index], strlen(locales[index]), &tag);
      uint32_t locale = cf_pack_nearest(cf_pack_all(), &tag);
      size_t size = cf_formatter_make(cf_pack_all(), locale, false, &workload->format, NULL, 0);
      cf_formatter *formatter = malloc(size);
      cf_formatter_make(cf_pack_all(), locale, false, &workload->format, formatter, size);
      uint8_t *target = malloc(cf_formatter_bound(formatter) + 1);
      printf("%8.1f", measure(workload, formatter, &clock, target));
      free(target);
      free(formatter);
    }
    printf("\n");
  }
  cf_zones_free(zones);
}
