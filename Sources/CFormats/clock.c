#include "clock.h"

#include <string.h>

#include "zones.h"

/// In place of a zone's index: each interval is endless.
#define FIXED UINT32_MAX
/// The first second of year 1, and the last of 9999.
#define FIRST_NOW (-62135596800)
#define LAST_NOW 253402300799

static bool equals(const uint8_t *name, size_t count, const char *word) {
  return cf_zone_name_order((const char *)name, count, word, strlen(word)) == 0;
}

/// `+02:00`, `-0330`, `+02`: less than a day.
static bool read_offset(const uint8_t *name, size_t count, int32_t *offset) {
  if (count < 3 || (name[0] != '+' && name[0] != '-')) return false;
  uint8_t digits[4] = {0};
  size_t digit_count = 0;
  for (size_t index = 1; index < count; index++) {
    if (name[index] == ':' && index == 3 && count == 6) continue;
    if ((uint8_t)(name[index] - '0') > 9 || digit_count == 4) return false;
    digits[digit_count++] = name[index] - '0';
  }
  int32_t hours = digits[0] * 10 + digits[1], minutes = digits[2] * 10 + digits[3];
  if ((digit_count != 2 && digit_count != 4) || hours > 23 || minutes > 59) return false;
  *offset = (name[0] == '-' ? -60 : 60) * (hours * 60 + minutes);
  return true;
}

/// The zone of a name; FIXED if there is none.
static uint32_t find_zone(const cf_zones *zones, const uint8_t *name, size_t count) {
  uint32_t low = 0, high = zones->name_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const cf_zone_name *row = &zones->names[middle];
    int order = cf_zone_name_order(row->text, row->count, (const char *)name, count);
    if (order == 0) return row->zone;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return FIXED;
}

bool cf_clock_start(cf_clock *clock, const cf_zones *zones, const uint8_t *name, size_t count, int64_t now) {
  if (now < FIRST_NOW) now = FIRST_NOW;
  if (now > LAST_NOW) now = LAST_NOW;
  clock->now = now;
  clock->zones = zones;
  clock->zone = FIXED;
  int32_t offset = 0;
  bool is_fixed = equals(name, count, "UTC") || equals(name, count, "GMT") || equals(name, count, "Z") ||
                  read_offset(name, count, &offset);
  if (!is_fixed && zones) clock->zone = find_zone(zones, name, count);
  for (int index = 0; index < CF_INTERVALS; index++) {
    // Empty, as long as nothing is known.
    clock->intervals[index] = (cf_interval){INT64_MIN, is_fixed ? INT64_MAX : INT64_MIN, offset};
  }
  return is_fixed || clock->zone != FIXED;
}

/// Looks an offset up among the zone's changes, and how long it holds.
static void look_up(const cf_clock *clock, int64_t instant, cf_interval *interval) {
  const cf_zones *zones = clock->zones;
  const cf_zone *zone = &zones->zones[clock->zone];
  const int64_t *times = zones->times + zone->start;
  uint32_t low = 0, high = zone->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (times[middle] <= instant) low = middle + 1;
    else high = middle;
  }
  interval->from = low > 0 ? times[low - 1] : INT64_MIN;
  interval->until = low < zone->count ? times[low] : INT64_MAX;
  interval->offset = low > 0 ? zones->offsets[zone->start + low - 1] : zone->first_offset;
  if (low == zone->count && zone->rule.is_there) {
    int64_t from;
    interval->offset = cf_zone_rule_offset(&zone->rule, instant, &from, &interval->until);
    if (from > interval->from) interval->from = from;
  }
}

int32_t cf_clock_offset(cf_clock *clock, int64_t instant) {
  // Half a year has its place: most zones change twice a year.
  cf_interval *interval = &clock->intervals[(uint64_t)instant >> 24 & (CF_INTERVALS - 1)];
  if (instant < interval->from || instant >= interval->until) look_up(clock, instant, interval);
  return interval->offset;
}

cf_wall cf_wall_of(cf_clock *clock, int64_t instant) {
  int64_t written = instant + cf_clock_offset(clock, instant);
  int64_t days = written / CF_DAY_SECONDS - (written % CF_DAY_SECONDS < 0);
  cf_wall wall = {.days = (int32_t)days, .second = (int32_t)(written - days * CF_DAY_SECONDS)};
  wall.day = cf_day_of(wall.days);
  return wall;
}

cf_wall cf_wall_of_moment(cf_clock *clock, const cf_moment *moment) {
  cf_wall wall = {moment->day, moment->days, moment->second};
  if (moment->form != CF_INSTANT) return wall;
  wall.second += cf_clock_offset(clock, cf_moment_written(moment) - moment->offset) - moment->offset;
  // Mostly the day stays the same.
  if (wall.second >= 0 && wall.second < CF_DAY_SECONDS) return wall;
  int32_t turn = wall.second / CF_DAY_SECONDS - (wall.second % CF_DAY_SECONDS < 0);
  wall.days += turn;
  wall.second -= turn * CF_DAY_SECONDS;
  wall.day = cf_day_of(wall.days);
  return wall;
}

int64_t cf_instant_of(cf_clock *clock, int64_t written) {
  // An offset that held a day before, and one that holds a day after: one of them is that of the time, or none.
  int64_t before = written - cf_clock_offset(clock, written - CF_DAY_SECONDS);
  int64_t after = written - cf_clock_offset(clock, written + CF_DAY_SECONDS);
  if (written - cf_clock_offset(clock, before) == before) return before;
  return written - cf_clock_offset(clock, after) == after ? after : before;
}
