/// JSON text to an array of nodes, in document order, in two steps:
///
///   1. simdjson's stage 1 (the installed library, chosen for the processor at run time) checks UTF-8 and finds the
///      place of every token;
///   2. one walk of our own over those places checks everything else (RFC 8259) and writes a node for each value
///      and each key.
///
/// Numbers are not converted: a node names the bytes that were sent. Strings are unescaped in the text itself, once,
/// after the whole document is known to be valid. No function throws; none aborts on any text.
#ifndef CF_JSON_H
#define CF_JSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes behind the text that must be readable. What they hold never changes a result.
#define CF_JSON_PADDING 64

/// Nodes behind the last one that can be read, though they mean nothing.
#define CF_JSON_SPARE_NODES 1

/// The id of a key that is in no table, and of nothing else.
#define CF_JSON_UNKNOWN_NAME 0xFFFFFFFFu

enum cf_json_kind {
  CF_JSON_NULL = 0,
  CF_JSON_FALSE = 1,
  CF_JSON_TRUE = 2,
  CF_JSON_NUMBER = 3,
  CF_JSON_STRING = 4,
  CF_JSON_ARRAY = 5,
  CF_JSON_OBJECT = 6,
  CF_JSON_KEY = 7,
};

/// Bits of `cf_json_node.head` between the kind and the depth.
enum cf_json_flag {
  /// A number whose mantissa digits are all 0.
  CF_JSON_ZERO = 1u << 8,
  /// A key of the table that a later member of the same object repeats. A key has no other flag.
  CF_JSON_SUPERSEDED = 1u << 9,
  /// An object in which some key is superseded.
  CF_JSON_HAS_SUPERSEDED = 1u << 10,
  /// Used while parsing only: an object that has a key written with escapes.
  CF_JSON_HAS_ESCAPED_KEY = 1u << 11,
  /// Used while parsing only: an object in which a key may be repeated.
  CF_JSON_MAY_REPEAT = 1u << 12,
  /// A string without content.
  CF_JSON_EMPTY = 1u << 13,
  /// An array or object in an array that is the model for those behind it.
  CF_JSON_MODEL = 1u << 14,
  /// An object in an array whose nodes are those of its model but for places and lengths: the same names, kinds and other
  /// flags in the same order. Its model is the last one before it in the array. Where there is none, it is the same for all
  /// elements up to the first that is a model.
  CF_JSON_LIKE_MODEL = 1u << 15,
};

/// One value or key.
///
///     head    kind (8 bits) | flags (8 bits) | depth (16 bits): how many arrays and objects are open around it
///     offset  string, key: first byte of the unescaped content; number, literal: of its text;
///             array, object: its bracket. Counted from the start of the text buffer.
///     length  string, key: bytes of the unescaped content; number, literal: of its text;
///             array: elements; object: members as sent, repeated ones counted
///     link    value: index of the node behind its subtree (scalars: the next); key: its id
///
/// A key is followed by its value's subtree, then the next key. Documents follow one another.
typedef struct cf_json_node {
  uint32_t head;
  uint32_t offset;
  uint32_t length;
  uint32_t link;
} cf_json_node;

/// An immutable table from names to ids. May be read by any number of threads.
typedef struct cf_json_names cf_json_names;

/// Makes a table of `count` distinct names that lie in `bytes` one after another; a name's id is its position.
/// Copies what it needs. NULL: out of memory.
cf_json_names *cf_json_names_create(const uint8_t *bytes, const uint32_t *lengths, uint32_t count);
void cf_json_names_free(cf_json_names *names);

/// The id of a name, or CF_JSON_UNKNOWN_NAME. CF_JSON_PADDING bytes behind it must be readable.
uint32_t cf_json_names_find(const cf_json_names *names, const uint8_t *bytes, uint32_t length);

/// The nodes of the documents parsed since the last reset, and the memory it takes to make them. For one thread.
typedef struct cf_json_parser cf_json_parser;

enum cf_json_status {
  CF_JSON_OK = 0,
  /// Not JSON, or too deep: `cf_json_first_fault` says where and why. Text and nodes are as before.
  CF_JSON_REFUSED = 1,
  CF_JSON_OUT_OF_MEMORY = 2,
};

/// NULL: out of memory.
cf_json_parser *cf_json_parser_create(void);
void cf_json_parser_free(cf_json_parser *parser);

/// Parsing a document that is all of a text in several parts, for who has not the time for all of it in one go:
/// `cf_json_begin`, which allocates the token index; `cf_json_prepare`, which finds the tokens and allocates the nodes;
/// `cf_json_parse` of the same text. Behind each of the first two what was allocated is touched, part by part: memory that
/// is new costs more than what is written into it. For a parser without nodes.
enum cf_json_status cf_json_begin(cf_json_parser *parser, const uint8_t *text, uint32_t text_length);

/// CF_JSON_REFUSED: as `cf_json_parse`, which then finds it again.
enum cf_json_status cf_json_prepare(cf_json_parser *parser, const uint8_t *text, uint32_t text_length,
                                    uint32_t depth_limit);

/// Touches the next `bytes` of what was allocated, of the index as much as the text's beginning lets expect. Returns the
/// bytes still to be touched. Only behind the first two parts.
size_t cf_json_parser_touch(cf_json_parser *parser, size_t bytes);

/// Parses the document at `text[start..<end]` and appends its nodes; `*root` is the index of the first.
///
/// - text: a buffer of `text_length` (< 2^32 - 64) bytes and CF_JSON_PADDING more; `text[end]` is written for the
///   time of the call and restored, strings with escapes are unescaped in place on success.
///   Documents parsed since the last reset must still be in it as that left them: they are compared with this one.
/// - depth_limit: most arrays and objects that may be open at once, 1...65535.
enum cf_json_status cf_json_parse(cf_json_parser *parser, uint8_t *text, uint32_t text_length, uint32_t start,
                                  uint32_t end, const cf_json_names *names, uint32_t depth_limit, uint32_t *root);

/// All nodes since the last reset. Valid until the next call that parses, resets or frees.
const cf_json_node *cf_json_parser_nodes(const cf_json_parser *parser);
uint32_t cf_json_parser_node_count(const cf_json_parser *parser);

/// Forgets the nodes. At most `kept_bytes` stay allocated, and 4 bytes for each name of the largest table so far.
void cf_json_parser_reset(cf_json_parser *parser, size_t kept_bytes);

/// Gives back what only parsing needs; the nodes stay where they are.
void cf_json_parser_trim(cf_json_parser *parser);

/// Bytes allocated now.
size_t cf_json_parser_held_bytes(const cf_json_parser *parser);

/// Most bytes a parser takes for texts of `text_length` bytes in all (but for the moment in which an array grows).
size_t cf_json_parser_estimated_bytes(size_t text_length, uint32_t depth_limit);

/// The version of simdjson that this was compiled against, as text. Static.
const char *cf_json_library_version(void);

typedef struct cf_json_fault {
  /// NULL: there is no fault, the text is valid.
  const char *reason;
  /// From the start of the text buffer; `end` where input ends too soon.
  uint32_t offset;
  /// Not 0: valid so far, but deeper than the limit.
  uint32_t too_deep;
} cf_json_fault;

/// Judges `text[start..<end]` from the left, byte by byte: the first fault decides. Slow, exact, reads nothing behind
/// `end`, allocates nothing; it shares no code with the walk.
cf_json_fault cf_json_first_fault(const uint8_t *text, uint32_t start, uint32_t end, uint32_t depth_limit);

#ifdef __cplusplus
}
#endif

#endif
