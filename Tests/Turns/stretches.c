// Notes the longest stretch of processor time of an event loop in the process it is loaded into (LD_PRELOAD): between two
// calls of epoll_pwait, which the program's own epoll_wait makes, on one thread. The file STRETCHES holds it as nanoseconds,
// 8 bytes in the machine's byte order.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t *longest;

__attribute__((constructor)) static void open_file(void) {
  int file = open(getenv("STRETCHES"), O_RDWR);
  void *memory = mmap(NULL, sizeof *longest, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) abort();
  longest = memory;
  close(file);
}

static uint64_t processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout, const sigset_t *signals) {
  static int (*real)(int, struct epoll_event *, int, int, const sigset_t *);
  if (!real) real = dlsym(RTLD_NEXT, "epoll_pwait");
  static _Thread_local uint64_t began;
  if (began) {
    uint64_t stretch = processor_time() - began;
    uint64_t before = *longest;
    while (stretch > before && !atomic_compare_exchange_weak(longest, &before, stretch)) {}
  }
  int ready = real(epoll, events, count, timeout, signals);
  began = processor_time();
  return ready;
}
