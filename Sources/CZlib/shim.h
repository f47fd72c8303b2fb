/* The parts of zlib that the server needs. `deflateInit2` is a macro, which Swift does not import. `deflate`
 * is wrapped so that Swift stores no pointers in a stream. */
#ifndef CELLFACTORY_CZLIB_SHIM_H
#define CELLFACTORY_CZLIB_SHIM_H

#include <stddef.h>
#include <string.h>
#include <zlib.h>

/* Bounds the search for a match. Levels 8 and 9 follow up to 1024 and 4096 earlier places for each byte, which takes 30
 * times as long as level 6 where few different bytes repeat, and saves hardly anything. */
static inline void cf_deflate_bound(z_stream *stream, int level) {
  int lazy = level == 8 ? 128 : 258;
  if (level > 7) deflateTune(stream, 32, lazy, 258, 256);
}

/* Initializes a stream with zlib's default memory, slightly more than 256 KiB for a window of 32 KiB. `window_bits` is
 * as for `deflateInit2`, and decides the format, too. The stream must not be moved afterwards. Returns Z_OK or an error
 * code. */
static inline int cf_deflate_start(z_stream *stream, int level, int window_bits) {
  memset(stream, 0, sizeof *stream);
  int result = deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  if (result == Z_OK) cf_deflate_bound(stream, level);
  return result;
}

/* Returns a stream to its initial state. */
static inline void cf_deflate_reset(z_stream *stream, int level) {
  deflateReset(stream);
  cf_deflate_bound(stream, level);
}

/* Compresses from `input`, which is read only during the call, to `output`. Sets `*input_count` to the number
 * of bytes not read and `*output_count` to the number written. Returns the result of `deflate`. */
static inline int cf_deflate(z_stream *stream, const void *input, size_t *input_count, void *output,
                             size_t *output_count, int flush) {
  size_t most = 1u << 30; /* zlib counts in 32 bits */
  size_t reads = *input_count < most ? *input_count : most;
  size_t writes = *output_count < most ? *output_count : most;
  stream->next_in = (Bytef *)input;
  stream->avail_in = (uInt)reads;
  stream->next_out = (Bytef *)output;
  stream->avail_out = (uInt)writes;
  int result = deflate(stream, reads < *input_count ? Z_NO_FLUSH : flush);
  *input_count -= reads - stream->avail_in;
  *output_count = writes - stream->avail_out;
  stream->next_in = NULL;
  stream->next_out = NULL;
  return result;
}

#endif
