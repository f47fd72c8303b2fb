#include "discard.h"

#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// At the start of a discarded block.
struct discarded {
  struct discarded *next;
  void (*release)(void *);
  size_t bytes;
  // From the start of the block.
  size_t dropped;
};

// A page of any machine that we run on, or a part of one: then less is dropped before the release.
static const uintptr_t page = 64 << 10;

static _Thread_local struct {
  struct discarded *first;
  size_t bytes;
  bool defers;
} mine;

void cf_defer_discards(bool defers) { mine.defers = defers; }

// Gives back the whole pages inside a block.
static void return_pages(void *block, size_t bytes) {
  uintptr_t size = (uintptr_t)getpagesize();
  uintptr_t start = ((uintptr_t)block + size - 1) & ~(size - 1), end = ((uintptr_t)block + bytes) & ~(size - 1);
  if (start < end) (void)madvise((void *)start, end - start, MADV_DONTNEED);
}

void cf_discard(void *block, size_t bytes, void (*release)(void *)) {
  if (!block) return;
  if (!mine.defers || bytes < CF_DEFERRED_BYTES) {
    if (bytes >= CF_RETURNED_BYTES && bytes < CF_DEFERRED_BYTES) return_pages(block, bytes);
    release(block);
    return;
  }
  // Only the block's own pages may be dropped.
  assert(bytes <= malloc_usable_size(block));
  struct discarded *discarded = block;
  *discarded = (struct discarded){mine.first, release, bytes, 0};
  mine.first = discarded;
  mine.bytes += bytes;
}

size_t cf_discarded_bytes(void) { return mine.bytes; }

// Drops whole pages inside the block only: the first ones hold its record, and the last may not be its own.
static void drop_pages(struct discarded *block, size_t bytes) {
  uintptr_t start = ((uintptr_t)block + sizeof *block + block->dropped + page - 1) & ~(page - 1);
  uintptr_t end = ((uintptr_t)block + block->dropped + bytes) & ~(page - 1);
  if (start < end) (void)madvise((void *)start, end - start, MADV_DONTNEED);
  block->dropped += bytes;
  mine.bytes -= bytes;
}

void cf_drop_discarded(size_t bytes) {
  while (mine.first && bytes > 0) {
    struct discarded *block = mine.first;
    size_t left = block->bytes - block->dropped;
    size_t part = left < bytes ? left : bytes;
    // What is left in the end is not worth a call of its own.
    if (left - part < page) part = left;
    drop_pages(block, part);
    bytes -= part < bytes ? part : bytes;
    if (block->dropped == block->bytes) {
      mine.first = block->next;
      block->release(block);
    }
  }
}
