#include "clock.h"

#include <string.h>

#include "zones.h"

/// In place of a zone's index: the clock's offset always holds.
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
  *clock = (cf_clock){.now = now, .zones = zones, .zone = FIXED, .from = INT64_MIN, .until = INT64_MAX};
  if (equals(name, count, "UTC") || equals(name, count, "GMT") || equals(name, count, "Z")) return true;
  if (read_offset(name, count, &clock->offset)) return true;
  if (zones) clock->zone = find_zone(zones, name, count);
  // Nothing is known yet.
  clock->until = INT64_MIN;
  return clock->zone != FIXED;
}

/// Looks an offset up among the zone's changes, and notes how long it holds.
static void look_up(cf_clock *clock, int64_t instant) {
  const cf_zones *zones = clock->zones;
  const cf_zone *zone = &zones->zones[clock->zone];
  const int64_t *times = zones->times + zone->start;
  uint32_t low = 0, high = zone->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (times[middle] <= instant) low = middle + 1;
    else high = middle;
  }
  clock->from = low > 0 ? times[low - 1] : INT64_MIN;
  clock->until = low < zone->count ? times[low] : INT64_MAX;
  clock->offset = low > 0 ? zones->offsets[zone->start + low - 1] : zone->first_offset;
  if (low == zone->count && zone->rule.is_there) {
    int64_t from;
    clock->offset = cf_zone_rule_offset(&zone->rule, instant, &from, &clock->until);
    if (from > clock->from) clock->from = from;
  }
}

int32_t cf_clock_offset(cf_clock *clock, int64_t instant) {
  if (clock->zone != FIXED && (instant < clock->from || instant >= clock->until)) look_up(clock, instant);
  return clock->offset;
}

cf_wall cf_wall_of(cf_clock *clock, int64_t instant) {
  int64_t written = instant + cf_clock_offset(clock, instant);
  int64_t days = written / CF_DAY_SECONDS - (written % CF_DAY_SECONDS < 0);
  cf_wall wall = {.days = (int32_t)days, .second = (int32_t)(written - days * CF_DAY_SECONDS)};
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
