#include <malloc.h>

#include "startup.h"

void cf_set_malloc_options(void) {
  // By default, glibc raises this threshold to the size of the largest freed block, up to 32 MiB. After that,
  // bodies and parsed rows would be in its per-thread heaps, between small blocks that stay: two workers with
  // 128 MiB in flight kept 310 MiB when idle, and keep 30 MiB with this setting. It is advice: if it has no
  // effect, the process works but needs more memory.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  // What a heap keeps at its end for the next request.
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  // By default, freed blocks of up to 128 bytes are put together only when someone allocates a large one. After a thread had
  // made a document of 33 MB in small parts, a worker did that for 15 ms in one turn.
  mallopt(M_MXFAST, 0);
}

void cf_return_free_memory(void) { malloc_trim(0); }
