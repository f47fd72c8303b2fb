#include <malloc.h>

#include "startup.h"

void cf_give_large_blocks_pages_of_their_own(void) {
  // Left alone, glibc raises the first limit to the size of the largest block that was freed, 32 MiB at most. From then
  // on bodies and parsed rows lie in its heaps, one for each thread, between small blocks that stay: two workers of
  // 128 MiB in flight kept 310 MiB when nothing was in flight, and keep 30 so. It is advice: where it is not taken, the
  // process works and needs more memory.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  // What a heap keeps at its end for the next request.
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
}
