/* An open-loop HTTP client: requests are sent when they are due, even if earlier ones have not been answered.
 *
 *   openloop PORT TARGET BODY CONNECTIONS TIMEOUT RATE:SECONDS...
 *
 * BODY is a file that is posted as JSON; CONNECTIONS is the maximum number of open connections, TIMEOUT the time limit
 * for an answer in seconds. Each RATE:SECONDS is a phase: the number of requests per second, evenly spaced, and its
 * duration. A rate of `cN` is a closed loop instead: N connections that each send as soon as they are answered.
 *
 * A request uses a free connection, or opens one if there is none. If no more may be opened, it waits; its latency counts
 * from the time it was due. Prints one line of JSON: for each phase the results of its requests, latencies in
 * milliseconds, and the same for each tenth of a second. One thread, epoll; Linux.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PHASES = 8, HEAD = 8192, FAILED = -1 };

enum outcome { OK, REFUSED, OTHER, RESET, ENDED, TIMED_OUT, UNCONNECTED, OUTCOMES };
static const char *const outcome_names[] = {"ok", "refused", "other", "reset", "ended", "timeout", "unconnected"};

/* A request that was due. */
struct record {
  int64_t due, done;
  uint8_t outcome, phase;
};

struct connection {
  int socket;
  int is_busy, is_connecting;
  int64_t record;
  size_t written;
  char head[HEAD];
  size_t head_count;
  int64_t remaining; /* of the answer's body; -1: the head is not complete, -2: in chunks */
  char tail[8];
  int status, closes;
};

static struct connection *connections;
static int connection_limit, connection_count, *free_list, free_count, *shut_list, shut_count;
static struct record *records;
static int64_t record_count, record_room, waiting_from, pending; /* records from `waiting_from` on have no connection */
static char *request;
static size_t request_size;
static int epoll, port;
static int64_t timeout_ns;

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void start(struct connection *c, int64_t record);

static void shut(struct connection *c) {
  close(c->socket);
  c->socket = -1;
  connection_count--;
  shut_list[shut_count++] = (int)(c - connections);
}

static void finish(struct connection *c, enum outcome outcome) {
  struct record *r = &records[c->record];
  r->done = now_ns();
  r->outcome = outcome;
  pending--;
  c->is_busy = 0;
  if (outcome > OTHER || c->closes || c->written < request_size) shut(c);
  else free_list[free_count++] = (int)(c - connections);
}

static void watch(struct connection *c, int writes) {
  struct epoll_event event = {.events = EPOLLIN | (writes ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_MOD, c->socket, &event);
}

static void write_some(struct connection *c) {
  while (c->written < request_size) {
    ssize_t n = send(c->socket, request + c->written, request_size - c->written, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) {
      if (errno == EAGAIN) return watch(c, 1);
      /* The answer may have arrived already. */
      return;
    }
    c->written += n;
  }
}

static void read_head(struct connection *c) {
  char *end = memmem(c->head, c->head_count, "\r\n\r\n", 4);
  if (!end) return;
  size_t size = end + 4 - c->head;
  *end = 0;
  c->status = c->head_count > 12 ? atoi(c->head + 9) : 0;
  c->closes = strcasestr(c->head, "\r\nConnection: close") != NULL;
  char *length = strcasestr(c->head, "\r\nContent-Length:");
  if (length) {
    c->remaining = atoll(length + 17) - (int64_t)(c->head_count - size);
  } else {
    c->remaining = -2;
    size_t rest = c->head_count - size;
    if (rest >= 5) memcpy(c->tail, c->head + c->head_count - 5, 5);
  }
}

static int has_ended(struct connection *c) {
  return c->remaining == 0 || (c->remaining == -2 && memcmp(c->tail, "0\r\n\r\n", 5) == 0);
}

/* A refusal must have Retry-After. */
static enum outcome outcome_of(const struct connection *c) {
  static const char field[] = "\r\nRetry-After: ";
  if (c->status == 200) return OK;
  return c->status == 503 && memmem(c->head, c->head_count, field, sizeof field - 1) ? REFUSED : OTHER;
}

static void read_some(struct connection *c) {
  static char scratch[1 << 18];
  for (;;) {
    ssize_t n;
    if (c->remaining == -1) {
      n = recv(c->socket, c->head + c->head_count, HEAD - c->head_count, MSG_DONTWAIT);
      if (n > 0) {
        c->head_count += n;
        read_head(c);
      }
    } else if (c->remaining == -2) {
      n = recv(c->socket, scratch + 8, sizeof scratch - 8, MSG_DONTWAIT);
      if (n > 0) {
        memcpy(scratch + 3, c->tail, 5);
        memcpy(c->tail, scratch + 8 + n - 5, 5);
      }
    } else {
      /* With MSG_TRUNC the kernel drops the bytes without copying them. */
      n = recv(c->socket, scratch, c->remaining < 1 << 18 ? (size_t)c->remaining : 1 << 18, MSG_DONTWAIT | MSG_TRUNC);
      if (n > 0) c->remaining -= n;
    }
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      enum outcome outcome = c->is_connecting ? UNCONNECTED : n < 0 ? RESET : ENDED;
      if (c->is_busy) finish(c, outcome);
      else {
        for (int i = 0; i < free_count; i++)
          if (free_list[i] == c - connections) free_list[i] = free_list[--free_count];
        shut(c);
      }
      return;
    }
    if (c->remaining != -1 && has_ended(c)) {
      if (c->is_busy) finish(c, outcome_of(c));
      return;
    }
  }
}

static void start(struct connection *c, int64_t record) {
  c->record = record;
  c->is_busy = 1;
  c->written = c->head_count = 0;
  c->remaining = -1;
  c->closes = 0;
  memset(c->tail, 0, sizeof c->tail);
  if (!c->is_connecting) write_some(c);
}

static struct connection *open_connection(void) {
  if (shut_count == 0) return NULL;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0) return NULL;
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct connection *c = &connections[shut_list[--shut_count]];
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  c->socket = fd;
  c->is_busy = 0;
  c->is_connecting = connect(fd, (struct sockaddr *)&address, sizeof address) != 0;
  connection_count++;
  struct epoll_event event = {.events = EPOLLIN | (c->is_connecting ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  return c;
}

/* Assigns connections to waiting requests. */
static void dispatch(void) {
  while (waiting_from < record_count) {
    struct connection *c = free_count > 0 ? &connections[free_list[--free_count]] : open_connection();
    if (!c) return;
    pending++;
    start(c, waiting_from++);
  }
}

static void due(int64_t time, int phase) {
  if (record_count == record_room) {
    record_room = record_room ? 2 * record_room : 1 << 16;
    records = realloc(records, record_room * sizeof *records);
  }
  records[record_count++] = (struct record){.due = time, .outcome = OUTCOMES, .phase = phase};
}

static void serve(int milliseconds) {
  struct epoll_event events[256];
  int count = epoll_wait(epoll, events, 256, milliseconds);
  for (int i = 0; i < count; i++) {
    struct connection *c = events[i].data.ptr;
    if (c->socket < 0) continue;
    if (events[i].events & EPOLLOUT) {
      if (c->is_connecting) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(c->socket, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error) {
          if (c->is_busy) finish(c, UNCONNECTED);
          else shut(c);
          continue;
        }
        c->is_connecting = 0;
      }
      watch(c, 0);
      if (c->is_busy) write_some(c);
    }
    if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_some(c);
  }
}

static void cut_late(int64_t now) {
  for (int i = 0; i < connection_limit; i++)
    if (connections[i].socket >= 0 && connections[i].is_busy && now - records[connections[i].record].due > timeout_ns)
      finish(&connections[i], TIMED_OUT);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The results of the requests of one phase that were due from `from` until `until`. */
static void tell(int phase, int64_t from, int64_t until, int is_long) {
  int64_t counts[OUTCOMES + 1] = {0}, sent = 0;
  static double *times[2];
  size_t timed[2] = {0, 0};
  for (int k = 0; k < 2; k++)
    if (!times[k]) times[k] = malloc((record_count + 1) * sizeof(double));
  /* Records are ordered by time. */
  int64_t low = 0, high = record_count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (records[middle].due < from) low = middle + 1;
    else high = middle;
  }
  for (int64_t i = low; i < record_count && records[i].due < until; i++) {
    struct record *r = &records[i];
    if (r->phase != phase) continue;
    sent++;
    counts[r->outcome]++;
    if (r->outcome <= REFUSED) times[r->outcome][timed[r->outcome]++] = (r->done - r->due) / 1e6;
  }
  printf("{\"due\":%lld", (long long)sent);
  for (int k = 0; k < OUTCOMES; k++)
    if (counts[k] || (is_long && k <= REFUSED)) printf(",\"%s\":%lld", outcome_names[k], (long long)counts[k]);
  if (counts[OUTCOMES]) printf(",\"unanswered\":%lld", (long long)counts[OUTCOMES]);
  for (int k = 0; k < 2; k++) {
    if (!timed[k]) continue;
    qsort(times[k], timed[k], sizeof(double), ascending);
    printf(",\"%s_ms\":{\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f}", outcome_names[k], times[k][timed[k] / 2],
           times[k][timed[k] * 99 / 100], times[k][timed[k] - 1]);
  }
  if (!is_long) printf("}");
}

int main(int argc, char **argv) {
  if (argc < 7 || argc > 6 + PHASES) {
    fprintf(stderr, "usage: openloop PORT TARGET BODY CONNECTIONS TIMEOUT RATE:SECONDS...\n");
    return 64;
  }
  port = atoi(argv[1]);
  connection_limit = atoi(argv[4]);
  timeout_ns = (int64_t)(atof(argv[5]) * 1e9);
  int body = open(argv[3], O_RDONLY);
  struct stat info;
  if (body < 0 || fstat(body, &info) != 0) return perror(argv[3]), 1;
  request = malloc(info.st_size + 512 + strlen(argv[2]));
  request_size = sprintf(
      request, "POST %s HTTP/1.1\r\nHost: soak\r\nContent-Type: application/json\r\nContent-Length: %lld\r\n\r\n",
      argv[2], (long long)info.st_size);
  for (ssize_t n; (n = read(body, request + request_size, info.st_size)) > 0;) request_size += n;

  epoll = epoll_create1(0);
  connections = calloc(connection_limit, sizeof *connections);
  free_list = malloc(connection_limit * sizeof(int));
  shut_list = malloc(connection_limit * sizeof(int));
  for (int i = connection_limit - 1; i >= 0; i--) {
    connections[i].socket = -1;
    shut_list[shut_count++] = i;
  }

  int phases = argc - 6;
  int64_t begins[PHASES + 1], begun = now_ns(), checked = begun;
  for (int p = 0; p < phases; p++) {
    char *colon = strchr(argv[6 + p], ':');
    int64_t length = (int64_t)(atof(colon ? colon + 1 : "1") * 1e9), k = 0, now;
    int closed = argv[6 + p][0] == 'c' ? atoi(argv[6 + p] + 1) : 0;
    double interval = closed ? 0 : 1e9 / atof(argv[6 + p]);
    begins[p] = now_ns();
    while ((now = now_ns()) < begins[p] + length) {
      if (closed) {
        while (pending + (record_count - waiting_from) < closed) due(now, p);
      } else {
        for (; begins[p] + (int64_t)(k * interval) <= now; k++) due(begins[p] + (int64_t)(k * interval), p);
      }
      dispatch();
      serve(0);
      if (now - checked > 500000000) cut_late(checked = now);
    }
  }
  begins[phases] = now_ns();
  while (pending + (record_count - waiting_from) > 0 && now_ns() < begins[phases] + timeout_ns + 1000000000) {
    dispatch();
    serve(10);
    cut_late(now_ns());
  }

  printf("{\"phases\":[");
  for (int p = 0; p < phases; p++) {
    if (p) printf(",");
    tell(p, 0, INT64_MAX, 1);
    printf(",\"begins\":%.3f,\"seconds\":%.3f,\"tenths\":[", begins[p] / 1e9, (begins[p + 1] - begins[p]) / 1e9);
    for (int64_t t = begins[p]; t < begins[p + 1]; t += 100000000) {
      if (t > begins[p]) printf(",");
      tell(p, t, t + 100000000, 0);
    }
    printf("]}");
  }
  printf("]}\n");
  return 0;
}
