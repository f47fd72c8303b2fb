// What a loop calls now and then.
#ifndef CF_SELDOM_HPP
#define CF_SELDOM_HPP

/// A function that is seldom called from a loop without other calls: it saves what registers it takes, so that the loop
/// need not keep its own in memory.
#if defined(__clang__)
#define CF_SELDOM __attribute__((noinline, preserve_most))
#else
#define CF_SELDOM __attribute__((noinline))
#endif

#endif
