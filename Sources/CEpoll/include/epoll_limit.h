#ifndef CEPOLL_EPOLL_LIMIT_H
#define CEPOLL_EPOLL_LIMIT_H

#include <stdbool.h>

// Limits how many ready connections libmicrohttpd takes in one run. It has no option for that: it asks epoll_wait until
// nothing more is ready, then works on all of them. A thousand clients that send or close at once would keep a loop busy
// for 40 ms. Linking is enough to replace the C library's epoll_wait; without a limit, ours does the same.

/// Limits what one call of epoll_wait on the calling thread returns. Only calls that ask for more are affected; the rest
/// stays ready for the next call, in order of arrival. 0 means no limit.
void cf_limit_ready(int count);

/// Whether a call of epoll_wait on this thread has reached the limit since this was last asked: then more may be ready.
bool cf_reached_ready_limit(void);

#endif
