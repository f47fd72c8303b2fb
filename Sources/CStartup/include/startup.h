#ifndef CSTARTUP_H
#define CSTARTUP_H

// Things that must happen before anything else. For hold_hangup.c and enough_stack.c, linking is enough.

/// Makes malloc allocate blocks of more than 256 KiB in separate pages, which are returned to the system when
/// freed, and put small ones together as they are freed. Must be called before other threads exist.
void cf_set_malloc_options(void);

/// Gives back to the system what malloc keeps between blocks in use: after loading cells, several hundred megabytes. Takes
/// some milliseconds for each 10 MB, in which no thread allocates from the heap that is looked through.
void cf_return_free_memory(void);

#endif
