// Counts the allocations of the process it is loaded into (LD_PRELOAD), separately for libmicrohttpd and all other callers.
//
// The counts are stored in the file named by ALLOCATION_COUNTS, which must exist: two 64-bit numbers, the second one for
// libmicrohttpd. A third number is the step of the clock: if it is not 0, the monotonic clock advances by this many
// nanoseconds at each look, and otherwise stands still. So nothing depends on the load of the machine. glibc only: it
// provides the replaced functions under other names.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

struct counts {
  uint64_t others;
  uint64_t library;
  uint64_t clock_step;
};

static struct counts unseen;
// Points into the file once it is mapped. Nothing before `main` needs to be counted.
static struct counts *counts = &unseen;
// The address range of libmicrohttpd's code.
static uintptr_t library_start, library_end;

static int find_library(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  if (!info->dlpi_name || !strstr(info->dlpi_name, "libmicrohttpd")) return 0;
  for (int at = 0; at < info->dlpi_phnum; at++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[at];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    library_start = info->dlpi_addr + part->p_vaddr;
    library_end = library_start + part->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  dl_iterate_phdr(find_library, NULL);
  const char *path = getenv("ALLOCATION_COUNTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) counts = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static uint64_t stepped;
  uint64_t step = __atomic_load_n(&counts->clock_step, __ATOMIC_RELAXED);
  int is_stepped = step && (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE);
  if (!is_stepped || !__atomic_load_n(&stepped, __ATOMIC_RELAXED)) {
    int status = (int)syscall(SYS_clock_gettime, clock, time);
    if (!is_stepped || status) return status;
    // The first look: starts at the real time.
    uint64_t none = 0, now = (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
    __atomic_compare_exchange_n(&stepped, &none, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  uint64_t now = __atomic_add_fetch(&stepped, step, __ATOMIC_RELAXED);
  time->tv_sec = (time_t)(now / 1000000000);
  time->tv_nsec = (long)(now % 1000000000);
  return 0;
}

// Inlined, so that the return address is that of the surrounding function.
__attribute__((always_inline)) static inline void count(void) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  int is_library = caller - library_start < library_end - library_start;
  __atomic_fetch_add(is_library ? &counts->library : &counts->others, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}

// glibc's own version calls `malloc`, which would hide the real caller.
char *strdup(const char *text) {
  count();
  size_t size = strlen(text) + 1;
  char *copy = __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
