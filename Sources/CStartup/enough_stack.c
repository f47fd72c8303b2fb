#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// A stack that is too small ends the process without a word, at its first deep call. So a small soft limit is raised where the
// system allows it, and the process ends with an error where it does not. The most deeply nested templates need 700 kB.

enum { needed_bytes = 1 << 20 };

static void have_enough_stack(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= needed_bytes) return;
  limit.rlim_cur = limit.rlim_max < needed_bytes ? limit.rlim_max : needed_bytes;
  if (limit.rlim_cur < needed_bytes) {
    char text[160];
    int length = snprintf(text, sizeof text, "error: the stack is limited to %lu kB; allow %d kB or more (ulimit -s)\n",
                          (unsigned long)(limit.rlim_cur >> 10), needed_bytes >> 10);
    ssize_t written = write(STDERR_FILENO, text, (size_t)length);
    (void)written;
    _exit(1);
  }
  setrlimit(RLIMIT_STACK, &limit);
  // The C library has read the old limit. Threads get their stacks by it.
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, limit.rlim_cur) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = have_enough_stack;
