/* Frees large blocks of memory in parts.
 *
 * The system takes back 200 MB in 10 to 50 ms, all of it in one call of free(). A thread that serves others in between
 * defers that: it discards the block now, and drops its pages in parts later. */
#ifndef CELLFACTORY_DISCARD_H
#define CELLFACTORY_DISCARD_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks of this size or more are deferred: those that own_pages.c gives pages of their own. */
#define CF_DEFERRED_BYTES ((size_t)256 << 10)

/* The pages of blocks of this size or more go back at once: malloc would keep them between small blocks that stay. */
#define CF_RETURNED_BYTES ((size_t)16 << 10)

/* Whether the calling thread defers. Without, a block is freed as soon as it is discarded. A thread that has deferred must
 * drop everything before it ends. */
void cf_defer_discards(bool defers);

/* Frees a block of `bytes` bytes by `release`, now or later. Nothing may use it any more. NULL is ignored. */
void cf_discard(void *block, size_t bytes, void (*release)(void *));

/* Bytes of the calling thread's blocks whose pages have not been dropped. */
size_t cf_discarded_bytes(void);

/* Drops about `bytes` of them. */
void cf_drop_discarded(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
