/// Languages: what goes without saying of a tag, and how far apart two are.
#ifndef CF_LANGUAGES_H
#define CF_LANGUAGES_H

#include "tables.h"

/// The parts of a tag as written; empty where there is none. `und` is empty.
void cf_subtags_of(const cf_tag *tag, cf_subtags *subtags);

/// Adds what goes without saying, as ICU's `LikelySubtags` does: `zh-TW` is zh, Hant, TW.
void cf_subtags_maximize(const cf_subtags *subtags, cf_subtags *full);

/// Takes apart an entry of the table of subtags.
void cf_subtags_decode(int32_t index, cf_subtags *subtags);

/// The subtags that a number holds.
void cf_subtags_of_number(uint32_t code, cf_subtags *subtags);

/// A language's name in CLDR; itself if it has no other.
void cf_language_canonical(char language[9]);

#endif
