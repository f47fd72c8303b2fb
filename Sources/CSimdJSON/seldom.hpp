// Functions that a loop rarely calls.
#ifndef CF_SELDOM_HPP
#define CF_SELDOM_HPP

/// A function that is rarely called from a loop without other calls. It saves the registers it uses, so that
/// the loop need not keep its own values in memory.
#if defined(__clang__)
#define CF_SELDOM __attribute__((noinline, preserve_most))
#else
#define CF_SELDOM __attribute__((noinline))
#endif

#endif
