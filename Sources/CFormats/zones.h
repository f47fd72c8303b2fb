/// The inside of the table of zones.
#ifndef CF_ZONES_H
#define CF_ZONES_H

#include "moment.h"

#define CF_ZONE_NAME_LIMIT 48
#define CF_ZONE_COUNT_LIMIT 2000
#define CF_ZONE_FILE_LIMIT 65536
#define CF_ZONE_CHANGE_LIMIT 4096

/// When a clock is changed each year (POSIX, `TZ`): a day, and a time of it in seconds, which may be of another day.
typedef struct cf_zone_turn {
  enum { CF_TURN_JULIAN, CF_TURN_DAY, CF_TURN_WEEKDAY } form;
  int32_t month;
  int32_t week;
  int32_t day;
  int32_t second;
} cf_zone_turn;

/// What holds after the last change that is listed.
typedef struct cf_zone_rule {
  bool is_there;
  bool has_summer;
  int32_t standard;
  int32_t summer;
  cf_zone_turn start;
  cf_zone_turn end;
} cf_zone_rule;

/// A zone: the offset before the first change, and its part of the changes.
typedef struct cf_zone {
  uint32_t start;
  uint32_t count;
  int32_t first_offset;
  cf_zone_rule rule;
} cf_zone;

typedef struct cf_zone_name {
  char text[CF_ZONE_NAME_LIMIT + 1];
  uint8_t count;
  uint16_t zone;
} cf_zone_name;

/// Names are sorted without regard to case. Change n is at `times[n]`, and leads to `offsets[n]`.
struct cf_zones {
  cf_zone_name *names;
  uint32_t name_count;
  cf_zone *zones;
  uint32_t zone_count;
  int64_t *times;
  int32_t *offsets;
  uint32_t change_count;
  char version[32];
  bool is_partial;
};

/// What a file says. The caller has room for CF_ZONE_CHANGE_LIMIT changes.
typedef struct cf_zone_file {
  uint32_t count;
  int64_t *times;
  int32_t *offsets;
  int32_t first_offset;
  cf_zone_rule rule;
} cf_zone_file;

/// Reads TZif (RFC 9636), versions 1 to 4, without leap seconds. Whatever the bytes are, nothing outside of them is
/// read. Returns false if they are something else.
bool cf_zone_parse(const uint8_t *bytes, size_t count, cf_zone_file *file);

/// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`. Returns false if it is none.
bool cf_zone_rule_read(const uint8_t *bytes, size_t count, cf_zone_rule *rule);

/// The offset that a rule gives at an instant, from one change until the next.
int32_t cf_zone_rule_offset(const cf_zone_rule *rule, int64_t instant, int64_t *from, int64_t *until);

/// Compares names without regard to the case of ASCII letters.
int cf_zone_name_order(const char *left, size_t left_count, const char *right, size_t right_count);

#endif
