/// A text that is read from its beginning.
#ifndef CF_READER_H
#define CF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cf_reader {
  const uint8_t *at;
  const uint8_t *end;
} cf_reader;

/// Whether so many bytes are left.
static inline bool cf_has(const cf_reader *reader, size_t count) {
  return (size_t)(reader->end - reader->at) >= count;
}

/// Reads a byte if it is the next.
static inline bool cf_take(cf_reader *reader, uint8_t byte) {
  if (reader->at == reader->end || *reader->at != byte) return false;
  reader->at++;
  return true;
}

#endif
