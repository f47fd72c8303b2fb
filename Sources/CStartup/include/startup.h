#ifndef CSTARTUP_H
#define CSTARTUP_H

// This target exports nothing. Linking it in is enough: see hold_hangup.c.

#endif
