// Makes system calls of the process it is loaded into (LD_PRELOAD) fail, as on a system that has run out of a resource.
// Environment variables select the failures; a variable that is 0 or not set has no effect.
//
//   FAULT_THREADS=N    pthread_create succeeds N-1 times, and fails from then on
//   FAULT_EPOLL_ADD=N  the first N connections cannot be added to libmicrohttpd's epoll set
//   FAULT_TCP_INFO=N   one of N queries for TCP_INFO succeeds; with 1 all succeed, so the smallest useful value is 2
//   FAULT_FILES=N      accept4 fails while the lowest free descriptor is N or above

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static long limit(const char *name) {
  const char *value = getenv(name);
  return value ? atol(value) : 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context) {
  static atomic_long calls;
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
  long first = limit("FAULT_THREADS");
  if (first > 0 && ++calls >= first) return EAGAIN;
  return real(thread, attributes, run, context);
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
  static atomic_long failed;
  static int (*real)(int, int, int, struct epoll_event *);
  if (!real) real = dlsym(RTLD_NEXT, "epoll_ctl");
  // Those of the library are edge-triggered, ours are not.
  if (operation == EPOLL_CTL_ADD && (event->events & EPOLLET) && failed < limit("FAULT_EPOLL_ADD")) {
    failed++;
    errno = ENOSPC;
    return -1;
  }
  return real(epoll, operation, descriptor, event);
}

int getsockopt(int descriptor, int level, int option, void *value, socklen_t *size) {
  static atomic_long calls;
  static int (*real)(int, int, int, void *, socklen_t *);
  if (!real) real = dlsym(RTLD_NEXT, "getsockopt");
  long each = limit("FAULT_TCP_INFO");
  if (each > 0 && level == IPPROTO_TCP && option == TCP_INFO && calls++ % each != 0) {
    errno = ENOBUFS;
    return -1;
  }
  return real(descriptor, level, option, value, size);
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
  static int (*real)(int, struct sockaddr *, socklen_t *, int);
  if (!real) real = dlsym(RTLD_NEXT, "accept4");
  long files = limit("FAULT_FILES");
  if (files > 0) {
    int free = dup(descriptor);
    close(free);
    if (free >= files) {
      errno = ENFILE;
      return -1;
    }
  }
  return real(descriptor, address, length, flags);
}
