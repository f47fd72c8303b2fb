/// Parses JSON text to an array of nodes in document order, in two steps:
///
///   1. simdjson's stage 1 (the installed library, which selects its implementation at run time) validates UTF-8
///      and finds all tokens;
///   2. one walk over the tokens checks everything else (RFC 8259) and writes a node for each value and each key.
///
/// Numbers are not converted: a node refers to the original bytes. Strings are unescaped in the text itself,
/// once, after the whole document is known to be valid. No function throws, and no text can make one abort.
#ifndef CF_JSON_H
#define CF_JSON_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "nodes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Readable bytes required after the text. Their values never affect a result.
#define CF_JSON_PADDING 64

/// An immutable table of names and their ids. May be read by any number of threads.
typedef struct cf_json_names cf_json_names;

/// Creates a table of `count` distinct names, which are contiguous in `bytes`. A name's id is its index.
/// Copies its input. Returns NULL if out of memory. Whoever does not know `seed` cannot choose names that collide.
cf_json_names *cf_json_names_create(const uint8_t *bytes, const uint32_t *lengths, uint32_t count, uint64_t seed);
void cf_json_names_free(cf_json_names *names);

/// The id of a name, or CF_NODE_UNKNOWN_NAME. CF_JSON_PADDING bytes after the name must be readable.
uint32_t cf_json_names_find(const cf_json_names *names, const uint8_t *bytes, uint32_t length);

/// The nodes of the documents parsed since the last reset, and the memory for parsing. For use by one thread.
typedef struct cf_json_parser cf_json_parser;

enum cf_json_status {
  CF_JSON_OK = 0,
  /// Not JSON, or too deep: a `cf_json_judge` finds where and why. Text and nodes are unchanged.
  CF_JSON_REFUSED = 1,
  CF_JSON_OUT_OF_MEMORY = 2,
  /// More parts follow. Returned only by `cf_json_parse_part`.
  CF_JSON_PAUSED = 3,
};

/// Returns NULL if out of memory.
cf_json_parser *cf_json_parser_create(void);
void cf_json_parser_free(cf_json_parser *parser);

/// Parses the document at `text[start..<end]` in three parts, for callers that must not block for long:
/// `cf_json_begin` allocates the token index, `cf_json_prepare` finds the tokens and allocates the nodes, and
/// `cf_json_parse_part` or `cf_json_parse` must be given the same document. After each of the first two, touch the allocated
/// memory piece by piece: page faults cost more than writing it. The text must not be moved or changed in between.
enum cf_json_status cf_json_begin(cf_json_parser *parser, const uint8_t *text, uint32_t start, uint32_t end);

/// CF_JSON_REFUSED as in `cf_json_parse`, which will find the error again.
enum cf_json_status cf_json_prepare(cf_json_parser *parser, const uint8_t *text, uint32_t text_length, uint32_t start,
                                    uint32_t end, uint32_t depth_limit);

/// Touches the next `bytes` of the allocated memory; of the index, as much as the tokens may need, which are counted first,
/// `bytes` of text in a call. Returns 0 when nothing is left. Only valid after the first two parts.
size_t cf_json_parser_touch(cf_json_parser *parser, size_t bytes);

/// Parses the document at `text[start..<end]` and appends its nodes; `*root` is the index of the first.
///
/// - text: a buffer of `text_length` (< 2^32 - 64) bytes plus CF_JSON_PADDING. `text[end]` is overwritten
///   during the call and restored. On success, strings with escapes are unescaped in place. Documents parsed
///   since the last reset must be unchanged in the buffer, because they are compared with this one.
/// - depth_limit: the most arrays and objects open at once, 1...65535.
///
/// Takes the document's parts apart, because a struct of them would be filled for each row.
enum cf_json_status cf_json_parse(cf_json_parser *parser, uint8_t *text, uint32_t text_length, uint32_t start,
                                  uint32_t end, const cf_json_names *names, uint32_t depth_limit, uint32_t *root);

/// Parses the next part of the document prepared by `cf_json_prepare`. Call it until the result is not
/// CF_JSON_PAUSED, or until the parser is reset. The text must not be moved or changed in between. All
/// arguments but `bytes` and `root` describe the document, as in `cf_json_parse`.
///
/// - bytes: roughly the bytes of text processed in one call; dense tokens and escapes count as more.
enum cf_json_status cf_json_parse_part(cf_json_parser *parser, uint8_t *text, uint32_t text_length, uint32_t start,
                                       uint32_t end, const cf_json_names *names, uint32_t depth_limit, size_t bytes,
                                       uint32_t *root);

/// All nodes since the last reset. Valid until the next call that parses, resets or frees.
const cf_node *cf_json_parser_nodes(const cf_json_parser *parser);
uint32_t cf_json_parser_node_count(const cf_json_parser *parser);

/// Removes the nodes. At most `kept_bytes` stay allocated, plus 4 bytes for each name of the largest table so
/// far.
void cf_json_parser_reset(cf_json_parser *parser, size_t kept_bytes);

/// Releases memory needed only for parsing, and what earlier texts needed. The nodes do not move. Nothing more can be parsed.
void cf_json_parser_trim(cf_json_parser *parser);

/// Bytes currently allocated.
size_t cf_json_parser_held_bytes(const cf_json_parser *parser);

/// The most bytes that a parser needs for texts of `text_length` bytes in total, except briefly while an
/// array grows.
size_t cf_json_parser_estimated_bytes(size_t text_length, uint32_t depth_limit);

/// The version of simdjson that this was compiled against. Static string.
const char *cf_json_library_version(void);

typedef struct cf_json_fault {
  /// NULL if the text is valid.
  const char *reason;
  /// From the start of the text buffer; `end` if the input ends too soon.
  uint32_t offset;
  /// Nonzero if valid so far but deeper than the limit.
  uint32_t too_deep;
} cf_json_fault;

/// Finds the first error of a text, byte by byte. Slow and exact; shares no code with the walk.
typedef struct cf_json_judge cf_json_judge;

/// Creates a judge for `text[start..<end]`. Returns NULL if out of memory.
cf_json_judge *cf_json_judge_create(uint32_t start, uint32_t end, uint32_t depth_limit);
void cf_json_judge_free(cf_json_judge *judge);

/// Checks about `bytes` more of the text, up to `end`. The text may have moved but must be unchanged. Returns true once the
/// result is known.
bool cf_json_judge_continue(cf_json_judge *judge, const uint8_t *text, size_t bytes);

/// The result, after `cf_json_judge_continue` has returned true.
cf_json_fault cf_json_judge_fault(const cf_json_judge *judge);

#ifdef __cplusplus
}
#endif

#endif
