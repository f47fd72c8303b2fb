#include <signal.h>
#include <string.h>

// `serve` and `preview` reload their templates on SIGHUP. Until one waits for the signal, SIGHUP must stay pending instead of
// ending the process: whoever deploys templates and then signals the server does not know how far the startup
// is.
//
// This runs before the constructors of the shared libraries, which take most of the time until `main`. Only
// the loader runs earlier. Other commands keep the default: they end on SIGHUP, for example when their
// terminal closes.
static void hold_hangup(int count, char **arguments, char **environment) {
  (void)environment;
  if (count < 2) return;
  if (strcmp(arguments[1], "serve") != 0 && strcmp(arguments[1], "preview") != 0) return;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = hold_hangup;
