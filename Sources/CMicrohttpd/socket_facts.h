/* What Linux knows of a socket and its peer.
 *
 * Everything that depends on the kind of a socket is here, so that nothing but `ServerAddress` and `Listener` decides what
 * the server listens on. Each function says what it returns for a socket that is not TCP, such as a Unix socket. */
#ifndef CELLFACTORY_SOCKET_FACTS_H
#define CELLFACTORY_SOCKET_FACTS_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

/* The number of bytes on a socket that this side has not read; 0 if unknown. The same for all kinds of sockets. */
static inline int cf_readable_bytes(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

/* Aborts the connection at once, so that the peer sees a failure, not an end. The descriptor stays open.
 *
 * Other sockets cannot be aborted: nothing happens, and the peer sees the end when the descriptor is closed. */
static inline void cf_reset(int descriptor) {
  struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  (void)connect(descriptor, &nowhere, sizeof nowhere);
}

/* What `cf_acknowledged` returns for sockets of which Linux does not count what the peer has read. A peer with unread bytes
 * counts as one that reads a byte each nanosecond: it is a process of this computer, and is not cut for being slow.
 * TIOCOUTQ is the number of bytes that the peer has not read. */
static inline int cf_acknowledged_elsewhere(int descriptor, unsigned long long *acknowledged) {
  int unread = 0;
  struct timespec now;
  if (ioctl(descriptor, TIOCOUTQ, &unread) != 0 || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return -1;
  *acknowledged = (unsigned long long)now.tv_sec * 1000000000 + (unsigned long long)now.tv_nsec;
  return unread > 0;
}

static inline bool cf_is_tcp(int descriptor) {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  return getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == IPPROTO_TCP;
}

/* Stores in *acknowledged how many bytes the peer has acknowledged of all that was ever sent on a socket.
 * Returns 1 if more is in flight, 0 if the peer has everything, -1 if unknown. */
static inline int cf_acknowledged(int descriptor, unsigned long long *acknowledged) {
  /* Linux's own header, which has these fields, conflicts with the C library's, which does not have them. The
   * offsets are fixed because the structure only grows. */
  union {
    struct {
      unsigned char before[120];
      unsigned long long acknowledged; /* tcpi_bytes_acked */
      unsigned char between[16];
      unsigned int not_sent; /* tcpi_notsent_bytes */
    };
    unsigned int words[48];
  } info;
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return cf_is_tcp(descriptor) ? -1 : cf_acknowledged_elsewhere(descriptor, acknowledged);
  }
  if (size < 148) return -1;
  *acknowledged = info.acknowledged;
  return info.not_sent > 0 || info.words[6] > 0; /* tcpi_unacked */
}

/* The number of connections waiting in a listening socket's queue; -1 if unknown, as for all other kinds of sockets. */
static inline int cf_waiting_connections(int listen_socket) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  /* For a listening socket, these fields describe its queue (Linux: tcp_get_info). */
  return getsockopt(listen_socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? (int)info.tcpi_unacked : -1;
}

/* Milliseconds since the last bytes arrived on a connection; -1 if unknown, as for all other kinds of sockets. */
static inline int cf_milliseconds_since_arrival(int descriptor) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
  return info.tcpi_last_data_recv > 0x7FFFFFFFu ? -1 : (int)info.tcpi_last_data_recv;
}

#endif
