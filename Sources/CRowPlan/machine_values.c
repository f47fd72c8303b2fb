#include <string.h>

#include "row_plan.h"

int32_t cf_write_machine(const cf_format *format, const uint8_t *value, size_t count, uint8_t *target) {
  const char *opening = format->kind == CF_DATE || format->kind == CF_TIME ? " datetime=\"" : " value=\"";
  size_t length = strlen(opening);
  memcpy(target, opening, length);
  int32_t written = cf_print_machine(format, value, count, target + length);
  if (written < 0) return CF_MISFIT;
  target[length + (size_t)written] = '"';
  return (int32_t)length + written + 1;
}
