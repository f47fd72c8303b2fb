#include "epoll_limit.h"

#include <stddef.h>
#include <sys/epoll.h>

static _Thread_local int limit;
static _Thread_local bool was_full;

void cf_limit_ready(int count) { limit = count; }

bool cf_reached_ready_limit(void) {
  bool result = was_full;
  was_full = false;
  return result;
}

// The linker resolves the calls of all libraries to this definition, because the program's symbols come first.
// libmicrohttpd repeats its call only if it got as many events as it asked for, so with a limit it calls once.
int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
  if (limit <= 0 || count <= limit) return epoll_pwait(epoll, events, count, timeout, NULL);
  int ready = epoll_pwait(epoll, events, limit, timeout, NULL);
  if (ready == limit) was_full = true;
  return ready;
}
