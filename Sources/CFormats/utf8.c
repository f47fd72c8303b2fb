#include "tables.h"

bool cf_is_utf8(const uint8_t *bytes, size_t count) {
  for (size_t index = 0; index < count;) {
    uint8_t lead = bytes[index++];
    if (lead < 0x80) continue;
    if (lead < 0xC2 || lead > 0xF4) return false;
    size_t more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (count - index < more) return false;
    uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (bytes[index] < least || bytes[index] > most) return false;
    for (size_t rest = 1; rest < more; rest++) {
      if ((bytes[index + rest] & 0xC0) != 0x80) return false;
    }
    index += more;
  }
  return true;
}
