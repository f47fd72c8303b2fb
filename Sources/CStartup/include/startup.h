#ifndef CSTARTUP_H
#define CSTARTUP_H

// What is to happen before anything else. For hold_hangup.c linking is enough.

/// Has blocks of more than 256 KiB allocated in pages of their own, which the system has back when they are freed. To be
/// called before there are other threads.
void cf_give_large_blocks_pages_of_their_own(void);

#endif
