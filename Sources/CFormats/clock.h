/// Instants and wall clocks.
#ifndef CF_CLOCK_H
#define CF_CLOCK_H

#include "moment.h"

/// A day and a second of it, where a clock hangs.
typedef struct cf_wall {
  cf_day day;
  int32_t days;
  int32_t second;
} cf_wall;

/// What a clock on the wall shows at an instant. The year may be one before 1 or after 9999.
cf_wall cf_wall_of(cf_clock *clock, int64_t instant);

/// As `cf_wall_of`, for a moment; one without an offset shows what was written.
cf_wall cf_wall_of_moment(cf_clock *clock, const cf_moment *moment);

/// The instant at which a clock on the wall shows seconds since 1970: the earlier of two, and the time before a gap
/// added to where there is none.
int64_t cf_instant_of(cf_clock *clock, int64_t written);

#endif
