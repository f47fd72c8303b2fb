#include "zones.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_LIMIT 6
#define ENTRY_LIMIT 20000

/// What is being loaded: the table, and room for one file.
typedef struct loading {
  cf_zones *zones;
  uint32_t entries;
  uint32_t change_room;
  bool is_out_of_memory;
  uint8_t bytes[CF_ZONE_FILE_LIMIT];
  int64_t times[CF_ZONE_CHANGE_LIMIT];
  int32_t offsets[CF_ZONE_CHANGE_LIMIT];
} loading;

static char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? (char)(letter | 32) : letter; }

int cf_zone_name_order(const char *left, size_t left_count, const char *right, size_t right_count) {
  for (size_t index = 0; index < left_count && index < right_count; index++) {
    int order = lower(left[index]) - lower(right[index]);
    if (order != 0) return order;
  }
  return (left_count > right_count) - (left_count < right_count);
}

/// Notes what could not be read although it is there.
static void note_failure(loading *loading, int error) {
  if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO) loading->zones->is_partial = true;
}

/// The bytes of a file; 0 if it is none, or too long.
static size_t read_file(loading *loading, int folder, const char *name) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    note_failure(loading, errno);
    return 0;
  }
  struct stat status;
  size_t count = 0;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < CF_ZONE_FILE_LIMIT) {
    ssize_t part = 0;
    while (count < CF_ZONE_FILE_LIMIT &&
           (part = read(file, loading->bytes + count, CF_ZONE_FILE_LIMIT - count)) > 0) {
      count += (size_t)part;
    }
    if (part < 0) note_failure(loading, errno);
  }
  close(file);
  return count;
}

static bool grow(void **array, size_t count, size_t size) {
  void *grown = realloc(*array, count * size);
  if (grown) *array = grown;
  return grown != NULL;
}

/// A zone that is there already, under another name; else adds it. Returns -1 if memory is short.
static int32_t add_zone(loading *loading, const cf_zone_file *file) {
  cf_zones *zones = loading->zones;
  for (uint32_t index = 0; index < zones->zone_count; index++) {
    const cf_zone *zone = &zones->zones[index];
    if (zone->count == file->count && zone->first_offset == file->first_offset &&
        memcmp(&zone->rule, &file->rule, sizeof file->rule) == 0 &&
        memcmp(zones->times + zone->start, file->times, file->count * sizeof *file->times) == 0 &&
        memcmp(zones->offsets + zone->start, file->offsets, file->count * sizeof *file->offsets) == 0) {
      return (int32_t)index;
    }
  }
  uint32_t needed = zones->change_count + file->count;
  if (needed > loading->change_room) {
    loading->change_room = needed + needed / 4 + 1024;
    if (!grow((void **)&zones->times, loading->change_room, sizeof *zones->times) ||
        !grow((void **)&zones->offsets, loading->change_room, sizeof *zones->offsets)) {
      return -1;
    }
  }
  memcpy(zones->times + zones->change_count, file->times, file->count * sizeof *file->times);
  memcpy(zones->offsets + zones->change_count, file->offsets, file->count * sizeof *file->offsets);
  zones->zones[zones->zone_count] = (cf_zone){zones->change_count, file->count, file->first_offset, file->rule};
  zones->change_count = needed;
  return (int32_t)zones->zone_count++;
}

static void add_file(loading *loading, int folder, const char *name, const char *full_name) {
  size_t count = read_file(loading, folder, name), name_count = strlen(full_name);
  cf_zone_file file = {.times = loading->times, .offsets = loading->offsets};
  memset(&file.rule, 0, sizeof file.rule);
  if (name_count > CF_ZONE_NAME_LIMIT || !cf_zone_parse(loading->bytes, count, &file)) return;
  cf_zones *zones = loading->zones;
  if (zones->name_count == CF_ZONE_COUNT_LIMIT) return;
  int32_t zone = add_zone(loading, &file);
  if (zone < 0) {
    loading->is_out_of_memory = true;
    return;
  }
  cf_zone_name *row = &zones->names[zones->name_count++];
  *row = (cf_zone_name){.count = (uint8_t)name_count, .zone = (uint16_t)zone};
  memcpy(row->text, full_name, name_count);
}

/// Files of the whole folder that are not zones by these names, and folders with the same zones, counted otherwise.
static bool is_passed_over(const char *name, bool is_top) {
  static const char *const names[] = {"posix", "right", "posixrules", "localtime"};
  if (name[0] == '.') return true;
  for (size_t index = 0; is_top && index < sizeof names / sizeof names[0]; index++) {
    if (strcmp(name, names[index]) == 0) return true;
  }
  return false;
}

/// Reads a folder, and those in it. Takes the descriptor.
static void load_folder(loading *loading, int descriptor, const char *prefix, int depth) {
  DIR *folder = fdopendir(descriptor);
  if (!folder) {
    note_failure(loading, errno);
    close(descriptor);
    return;
  }
  struct dirent *entry;
  while ((entry = readdir(folder)) && loading->entries++ < ENTRY_LIMIT && !loading->is_out_of_memory) {
    char name[CF_ZONE_NAME_LIMIT + 1];
    size_t prefix_count = strlen(prefix), count = strlen(entry->d_name);
    if (is_passed_over(entry->d_name, depth == 0) || prefix_count + 1 + count > CF_ZONE_NAME_LIMIT) continue;
    if (prefix_count > 0) {
      memcpy(name, prefix, prefix_count);
      name[prefix_count++] = '/';
    }
    memcpy(name + prefix_count, entry->d_name, count + 1);
    // A folder that is a link is not entered, so that none is entered twice.
    int inner = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) note_failure(loading, errno);
    if (inner < 0) add_file(loading, dirfd(folder), entry->d_name, name);
    else if (depth + 1 < DEPTH_LIMIT) load_folder(loading, inner, name, depth + 1);
    else close(inner);
  }
  closedir(folder);
}

static int compare_names(const void *left, const void *right) {
  const cf_zone_name *first = left, *second = right;
  return cf_zone_name_order(first->text, first->count, second->text, second->count);
}

/// The first word of `+VERSION`, or the third of `tzdata.zi`: `# version 2025b`.
static void read_version(loading *loading, int folder) {
  size_t count = read_file(loading, folder, "+VERSION"), start = 0;
  static const char mark[] = "# version ";
  if (count == 0) {
    // Longer than zones are: only its beginning is read.
    int file = openat(folder, "tzdata.zi", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    ssize_t part = read(file, loading->bytes, 64);
    close(file);
    if (part < (ssize_t)sizeof mark || memcmp(loading->bytes, mark, sizeof mark - 1) != 0) return;
    count = (size_t)part;
    start = sizeof mark - 1;
  }
  char *version = loading->zones->version;
  for (size_t index = start; index < count && index - start < sizeof loading->zones->version - 1; index++) {
    uint8_t byte = loading->bytes[index];
    bool is_letter = (uint8_t)((byte | 32) - 'a') < 26 || (uint8_t)(byte - '0') < 10 || byte == '-' || byte == '.';
    if (!is_letter) break;
    *version++ = (char)byte;
  }
}

/// Gives back what the arrays have too much. A failure changes nothing.
static void trim(cf_zones *zones) {
  grow((void **)&zones->names, zones->name_count, sizeof *zones->names);
  grow((void **)&zones->zones, zones->zone_count, sizeof *zones->zones);
  if (zones->change_count == 0) return;
  grow((void **)&zones->times, zones->change_count, sizeof *zones->times);
  grow((void **)&zones->offsets, zones->change_count, sizeof *zones->offsets);
}

cf_zones *cf_zones_load(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return NULL;
  cf_zones *zones = calloc(1, sizeof *zones);
  loading *loading = calloc(1, sizeof *loading);
  bool is_ready = zones && loading;
  if (is_ready) {
    zones->names = malloc(CF_ZONE_COUNT_LIMIT * sizeof *zones->names);
    zones->zones = malloc(CF_ZONE_COUNT_LIMIT * sizeof *zones->zones);
    loading->change_room = 32768;
    zones->times = malloc(loading->change_room * sizeof *zones->times);
    zones->offsets = malloc(loading->change_room * sizeof *zones->offsets);
    is_ready = zones->names && zones->zones && zones->times && zones->offsets;
    loading->zones = zones;
  }
  if (is_ready) {
    read_version(loading, folder);
    load_folder(loading, folder, "", 0);
    is_ready = !loading->is_out_of_memory && zones->name_count > 0;
  } else {
    close(folder);
  }
  free(loading);
  if (!is_ready) {
    cf_zones_free(zones);
    return NULL;
  }
  qsort(zones->names, zones->name_count, sizeof *zones->names, compare_names);
  trim(zones);
  return zones;
}

void cf_zones_free(cf_zones *zones) {
  if (!zones) return;
  free(zones->names);
  free(zones->zones);
  free(zones->times);
  free(zones->offsets);
  free(zones);
}

size_t cf_zones_count(const cf_zones *zones) { return zones->name_count; }

size_t cf_zones_bytes(const cf_zones *zones) {
  return sizeof *zones + zones->name_count * sizeof *zones->names + zones->zone_count * sizeof *zones->zones +
         zones->change_count * (sizeof *zones->times + sizeof *zones->offsets);
}

bool cf_zones_are_partial(const cf_zones *zones) { return zones->is_partial; }

const char *cf_zones_version(const cf_zones *zones) { return zones->version; }
