// All of it is in the header, so that it is inlined where it is used.
#include "markup.h"
