#include <string.h>

#include "zones.h"

#define HEADER_BYTES 44
#define OFFSET_LIMIT (26 * 3600)

/// The counts of a header.
typedef struct header {
  uint8_t version;
  uint64_t utc_count;
  uint64_t standard_count;
  uint64_t leap_count;
  uint64_t time_count;
  uint64_t type_count;
  uint64_t letter_count;
} header;

static uint32_t read_32(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t read_time(const uint8_t *at, size_t time_bytes) {
  if (time_bytes == 4) return (int32_t)read_32(at);
  return (int64_t)((uint64_t)read_32(at) << 32 | read_32(at + 4));
}

static bool read_header(const uint8_t *bytes, size_t count, header *header) {
  if (count < HEADER_BYTES || memcmp(bytes, "TZif", 4) != 0) return false;
  header->version = bytes[4];
  header->utc_count = read_32(bytes + 20);
  header->standard_count = read_32(bytes + 24);
  header->leap_count = read_32(bytes + 28);
  header->time_count = read_32(bytes + 32);
  header->type_count = read_32(bytes + 36);
  header->letter_count = read_32(bytes + 40);
  return true;
}

/// The bytes after a header. Each count has 32 bits, so that the sum does not overflow.
static uint64_t data_bytes(const header *header, size_t time_bytes) {
  return header->time_count * (time_bytes + 1) + header->type_count * 6 + header->letter_count +
         header->leap_count * (time_bytes + 4) + header->standard_count + header->utc_count;
}

static bool read_data(const uint8_t *data, const header *header, size_t time_bytes, cf_zone_file *file) {
  if (header->time_count > CF_ZONE_CHANGE_LIMIT || header->type_count == 0 || header->type_count > 256) return false;
  // Seconds that are counted otherwise: the files of `right/`.
  if (header->leap_count > 0) return false;
  const uint8_t *types = data + header->time_count * time_bytes, *rows = types + header->time_count;
  for (uint64_t type = 0; type < header->type_count; type++) {
    int32_t offset = (int32_t)read_32(rows + 6 * type);
    if (offset < -OFFSET_LIMIT || offset > OFFSET_LIMIT) return false;
  }
  file->first_offset = (int32_t)read_32(rows);
  file->count = (uint32_t)header->time_count;
  for (uint32_t index = 0; index < file->count; index++) {
    file->times[index] = read_time(data + index * time_bytes, time_bytes);
    if (types[index] >= header->type_count) return false;
    if (index > 0 && file->times[index] <= file->times[index - 1]) return false;
    file->offsets[index] = (int32_t)read_32(rows + 6 * (size_t)types[index]);
  }
  return true;
}

/// The rule between two line feeds at the end. None: the last offset stays.
static bool read_footer(const uint8_t *at, const uint8_t *end, cf_zone_rule *rule) {
  *rule = (cf_zone_rule){0};
  if (end - at < 2 || *at != '\n') return false;
  at++;
  const uint8_t *last = memchr(at, '\n', (size_t)(end - at));
  if (!last) return false;
  return last == at || cf_zone_rule_read(at, (size_t)(last - at), rule);
}

bool cf_zone_parse(const uint8_t *bytes, size_t count, cf_zone_file *file) {
  header header;
  file->rule = (cf_zone_rule){0};
  if (!read_header(bytes, count, &header)) return false;
  uint64_t size = data_bytes(&header, 4);
  if (size > count - HEADER_BYTES) return false;
  if (header.version == 0) return read_data(bytes + HEADER_BYTES, &header, 4, file);
  // From version 2 the same follows with longer times.
  bytes += HEADER_BYTES + size;
  count -= HEADER_BYTES + size;
  if (!read_header(bytes, count, &header)) return false;
  size = data_bytes(&header, 8);
  if (size > count - HEADER_BYTES) return false;
  const uint8_t *footer = bytes + HEADER_BYTES + size;
  return read_data(bytes + HEADER_BYTES, &header, 8, file) && read_footer(footer, bytes + count, &file->rule);
}
