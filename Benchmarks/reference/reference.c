// The benchmarks' ceiling: libmicrohttpd alone. It reads whatever body is posted and answers fixed bytes with
// fixed headers, so that what a server costs beyond it is that server's own work.
//
//   reference FILE [--header 'Name: value']... [--port N]
//
// FILE holds the answer's body; libmicrohttpd itself adds Content-Length and Date. Port 0, the default, is
// any free one. Prints one line, `listening on http://127.0.0.1:PORT`, and stops on SIGTERM or SIGINT.

#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libmicrohttpd zeroes a connection's pool at every request, so its size is part of the cost.
static const size_t connection_memory_limit_bytes = 32 * 1024;

struct fixed_bytes {
  char *start;
  size_t count;
};

static void fail(const char *what) {
  fprintf(stderr, "reference: %s\n", what);
  exit(EXIT_FAILURE);
}

static struct fixed_bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot open the answer's file");
  if (fseek(file, 0, SEEK_END) != 0) fail("the answer's file is not seekable");
  long size = ftell(file);
  if (size < 0) fail("the answer's file has no size");
  rewind(file);
  struct fixed_bytes bytes = {.start = malloc((size_t)size + 1), .count = (size_t)size};
  if (!bytes.start || fread(bytes.start, 1, bytes.count, file) != bytes.count) fail("cannot read the answer");
  fclose(file);
  return bytes;
}

// Cuts the argument "Name: value" at its colon, in place.
static void add_header(struct MHD_Response *response, char *line) {
  char *colon = strchr(line, ':');
  if (!colon) fail("a header has no colon");
  *colon = '\0';
  const char *value = colon + 1 + strspn(colon + 1, " ");
  if (MHD_add_response_header(response, line, value) != MHD_YES) fail("libmicrohttpd refuses a header");
}

static uint16_t port_number(const char *text) {
  char *end;
  unsigned long port = strtoul(text, &end, 10);
  if (*text == '\0' || *end != '\0' || port > UINT16_MAX) fail("a port is a number from 0 to 65535");
  return (uint16_t)port;
}

// Called once with the head, then with each piece of the body, then once more with none. `closure` is the one
// response that answers every request: its head is still written out each time, its body never copied.
static enum MHD_Result answer(void *closure, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload_data,
                              size_t *upload_data_size, void **request_closure) {
  (void)url, (void)method, (void)version, (void)upload_data;
  static char seen;
  if (!*request_closure) {  // Queueing an answer already here would close the connection.
    *request_closure = &seen;
    return MHD_YES;
  }
  if (*upload_data_size) {
    *upload_data_size = 0;
    return MHD_YES;
  }
  return MHD_queue_response(connection, MHD_HTTP_OK, closure);
}

int main(int count, char **arguments) {
  if (count < 2) fail("usage: reference FILE [--header 'Name: value']... [--port N]");
  struct fixed_bytes body = read_file(arguments[1]);
  struct MHD_Response *response =
      MHD_create_response_from_buffer(body.count, body.start, MHD_RESPMEM_PERSISTENT);
  if (!response) fail("cannot make the response");

  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  for (int i = 2; i < count; i += 2) {
    if (i + 1 == count) fail("an option lacks its value");
    if (strcmp(arguments[i], "--header") == 0) {
      add_header(response, arguments[i + 1]);
    } else if (strcmp(arguments[i], "--port") == 0) {
      address.sin_port = htons(port_number(arguments[i + 1]));
    } else {
      fail("an unknown option");
    }
  }

  // Blocked before the daemon's thread is made, which inherits the mask: they wait for sigwait below.
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGTERM);
  sigaddset(&stopping, SIGINT);
  sigprocmask(SIG_BLOCK, &stopping, NULL);
  signal(SIGPIPE, SIG_IGN);

  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, response,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory_limit_bytes, MHD_OPTION_END);
  if (!daemon) fail("cannot listen");
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  if (!info) fail("cannot learn the port");
  printf("listening on http://127.0.0.1:%u\n", (unsigned)info->port);
  fflush(stdout);

  int signal_number;
  sigwait(&stopping, &signal_number);
  MHD_stop_daemon(daemon);
  MHD_destroy_response(response);
  free(body.start);
  return EXIT_SUCCESS;
}
