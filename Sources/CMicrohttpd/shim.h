/* The parts of libmicrohttpd (0.9.75 or later of the 0.9 line) and of Linux that Swift cannot import
 * directly.
 *
 * Swift does not import variadic functions, so each one that the server needs has a typed wrapper here. The
 * wrappers add nothing; comments explain which options are set and why. See <microhttpd.h> and the manual. */
#ifndef CELLFACTORY_CMICROHTTPD_SHIM_H
#define CELLFACTORY_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/vfs.h>

/* The functions that a daemon calls. All of them get the same `context`. */
struct cf_daemon_callbacks {
  void *context;
  MHD_AccessHandlerCallback request;
  MHD_RequestCompletedCallback request_completed;
  MHD_NotifyConnectionCallback connection_changed;
  void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
  size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
  MHD_LogCallback log;
};

/* Starts a daemon in external epoll mode: it creates no thread; everything happens inside MHD_run.
 *
 * It does not listen. Connections are added with MHD_add_connection, so that workers can distribute them.
 * `connection_memory` is the size of a connection's pool in bytes; half of it is the initial read buffer. The
 * daemon has no timeout: the caller enforces all deadlines, and libmicrohttpd would read the clock for each
 * transfer. `extra_flags` is MHD_USE_ERROR_LOG or 0. Returns NULL on failure. */
static inline struct MHD_Daemon *cf_daemon_start(unsigned int connection_limit, size_t connection_memory,
                                                 unsigned int extra_flags,
                                                 const struct cf_daemon_callbacks *callbacks) {
  void *context = callbacks->context;
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | extra_flags, 0, NULL, NULL, callbacks->request, context,
      /* First, so that messages about the following options are logged too. */
      MHD_OPTION_EXTERNAL_LOGGER, callbacks->log, context,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      /* In the 0.9 line, -1 is the strict setting. */
      MHD_OPTION_STRICT_FOR_CLIENT, -1,
      /* The default decodes %00 and so truncates the path; this one leaves the text as sent. */
      MHD_OPTION_UNESCAPE_CALLBACK, callbacks->unescape, context,
      /* The only place where the query is still as sent; later, `+` has become a space. */
      MHD_OPTION_URI_LOG_CALLBACK, callbacks->request_line, context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection_changed, context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->request_completed, context,
      MHD_OPTION_END);
}

/* The epoll descriptor that is readable when MHD_run has work to do; -1 if there is none. */
static inline int cf_daemon_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

/* Makes the end of a response without a known length that of its connection: libmicrohttpd ends chunks of an answer that has no
 * body, such as 304, too. */
static inline void cf_end_by_closing(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* The connection's socket; -1 if there is none. */
static inline int cf_connection_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/* The pointer that connection_changed stored for the connection. */
static inline void *cf_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/* Length of the request's head in bytes as received, once it is complete; 0 before. */
static inline size_t cf_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/* Whether the connection's head is complete and there is no answer yet. */
static inline bool cf_is_judging_head(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL &&
         MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS) == NULL;
}

/* Whether libmicrohttpd has used up the connection's memory, including the free part of the read buffer. Each
 * check uses the memory of one record (64 bytes) if available. The record does not become a field of the
 * request. */
static inline bool cf_has_no_memory(struct MHD_Connection *connection) {
  return MHD_set_connection_value(connection, MHD_RESPONSE_HEADER_KIND, "x", NULL) == MHD_NO;
}

/* GNU extensions, hidden by a macro that Swift's Glibc module does not define. */
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

static inline int cf_accept(int listen_socket) {
  return accept4(listen_socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* `name` has at most 15 bytes. */
static inline void cf_name_current_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/* Lowers the thread's priority. On Linux, each thread has its own nice value. Threads it starts inherit the
 * value. */
static inline void cf_lower_current_thread(void) { (void)setpriority(PRIO_PROCESS, 0, 10); }

/* Whether a path is on a file system that other hosts can change unnoticed by this kernel: NFS, CIFS, SMB,
 * 9P, FUSE, VirtualBox shared folders, Ceph, AFS. The numbers are from statfs(2). */
static inline bool cf_is_remote(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return false;
  switch ((unsigned long)status.f_type & 0xFFFFFFFFul) {
    case 0x6969ul: case 0xFF534D42ul: case 0xFE534D42ul: case 0x517Bul: case 0x01021997ul: case 0x65735546ul:
    case 0x786F4256ul: case 0x00C36400ul: case 0x5346414Ful:
      return true;
    default:
      return false;
  }
}

#endif
