// xxHash compiled into the caller, so that no library is needed at run time. XXH3 with seed 0 is a fixed,
// published function: equal on every machine. When inlined, the names of xxhash.h are macros, which Swift
// does not import; these wrappers are functions.
#ifndef CELLFACTORY_CXXHASH_SHIM_H
#define CELLFACTORY_CXXHASH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct {
  uint64_t low;
  uint64_t high;
} cf_hash128;

static inline cf_hash128 cf_xxh3_128(const void *bytes, size_t count) {
  XXH128_hash_t hash = XXH3_128bits(bytes, count);
  cf_hash128 result = {hash.low64, hash.high64};
  return result;
}

// The same over several runs of bytes, as if they were one. NULL if out of memory.
static inline void *cf_xxh3_128_begin(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state != NULL) XXH3_128bits_reset(state);
  return state;
}

static inline void cf_xxh3_128_append(void *state, const void *bytes, size_t count) {
  XXH3_128bits_update((XXH3_state_t *)state, bytes, count);
}

static inline cf_hash128 cf_xxh3_128_value(const void *state) {
  XXH128_hash_t hash = XXH3_128bits_digest((const XXH3_state_t *)state);
  cf_hash128 result = {hash.low64, hash.high64};
  return result;
}

static inline void cf_xxh3_128_end(void *state) { XXH3_freeState((XXH3_state_t *)state); }

static inline uint64_t cf_xxh3_64(const void *bytes, size_t count, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, count, seed);
}

#endif
