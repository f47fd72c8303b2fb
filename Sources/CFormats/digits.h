/// Decimal numbers as digits: read, moved, rounded. Exact, whatever their length.
#ifndef CF_DIGITS_H
#define CF_DIGITS_H

#include "formats.h"

/// The longest text of a number that is looked at: as many digits as are printed, a point, and an exponent.
#define CF_NUMBER_BYTES_LIMIT (CF_NUMBER_DIGITS_LIMIT + 30)

/// A number written out. `digits` are ASCII; those before the point are at least one, without needless zeros.
typedef struct cf_digits {
  bool is_negative;
  uint32_t whole_count;
  uint32_t fraction_count;
  uint8_t *digits;
  /// Room for one more digit in front, and for zeros after.
  uint8_t memory[8 + CF_NUMBER_DIGITS_LIMIT + CF_DIGITS_LIMIT + 24];
} cf_digits;

/// Reads a JSON number (RFC 8259, section 6), and moves its point `shift` digits to the right. Returns false for any
/// other text, and for numbers of more than CF_NUMBER_DIGITS_LIMIT digits or CF_NUMBER_BYTES_LIMIT bytes. Cost:
/// linear in digits.
bool cf_digits_read(cf_digits *digits, const uint8_t *value, size_t count, int32_t shift);

/// Rounds to at most `most` digits after the point, half away from zero, and leaves at least `least` of them.
void cf_digits_round(cf_digits *digits, uint32_t least, uint32_t most);

#endif
