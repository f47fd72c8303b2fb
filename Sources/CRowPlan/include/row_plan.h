/// Plans: the output of rows of one shape, as runs of bytes with the rows' texts between them; and the
/// comparison of a row with a shape. In the same variants as `escape.h`, chosen in the same way.
#ifndef CF_ROW_PLAN_H
#define CF_ROW_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conditions.h"
#include "escape.h"
#include "formats.h"
#include "nodes.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// What follows a piece's literal.
typedef enum cf_piece_code {
  /// Nothing: this is the last piece.
  CF_PIECE_END,
  /// Something that must be done in Swift.
  CF_PIECE_OTHER,
  /// A text, unchanged.
  CF_PIECE_PLAIN,
  /// A text through the escaper of that name.
  CF_PIECE_HTML,
  CF_PIECE_ATTRIBUTE,
  CF_PIECE_TEXT,
  CF_PIECE_URL,
  CF_PIECE_URL_PART,
  CF_PIECE_URL_COMPONENT,
  /// A text as a format shows it, through one of the escapers of markup or none.
  CF_PIECE_FORMAT,
  /// Same, as a format shows it whose output needs no escape.
  CF_PIECE_PLAIN_FORMAT,
  /// As CF_PIECE_FORMAT, with the currency in the text of the next piece, which has the code `CF_PIECE_OTHER` and no literal.
  CF_PIECE_FORMAT_PAIR,
  /// The attribute that programs read of a formatted text; nothing if the text does not fit.
  CF_PIECE_MACHINE,
} cf_piece_code;

/// Bytes to copy, and what to do after them. 16 bytes.
typedef struct cf_piece {
  /// The start and length of the piece's literal in the plan's literals.
  uint32_t literal;
  uint32_t literal_count;
  /// The node with the text, relative to the row's; unused for other pieces.
  uint32_t value;
  /// A `cf_piece_code`.
  uint8_t code;
  /// `Escaper` raw value, used when a piece is returned to Swift.
  uint8_t escaper;
  /// The archive's number of a format, from 1; 0 if the text is shown as it is.
  uint16_t format;
} cf_piece;

/// What formats need besides a text. Belongs to one request at a time.
typedef struct cf_formats {
  /// Those of a locale, by the archive's numbers; null for those that are not ready, or not printed by `cf_print`.
  const cf_formatter *_Nullable const *_Nullable ready;
  /// The formats themselves, for attributes that programs read.
  const cf_format *_Nullable formats;
  cf_clock *clock;
  /// Room for what any of them prints, and CF_ESCAPE_PADDING more.
  uint8_t *scratch;
} cf_formats;

/// A longer value has no attribute that programs read.
#define CF_MACHINE_VALUE_BYTES 512
/// The bytes of an attribute that programs read besides its value, at most.
#define CF_MACHINE_ATTRIBUTE_BYTES 16

/// Writes the attribute that programs read of a formatted value: ` datetime="…"` of dates, ` value="…"` of numbers.
///
/// - Parameters:
///   - count: at most CF_MACHINE_VALUE_BYTES.
///   - target: has room for CF_MACHINE_VALUE_BYTES and CF_MACHINE_ATTRIBUTE_BYTES.
/// - Returns: the bytes written, or CF_MISFIT if the value does not fit.
int32_t cf_write_machine(const cf_format *format, const uint8_t *value, size_t count, uint8_t *target);

/// How a guard asks.
typedef enum cf_guard_form {
  /// By the condition.
  CF_GUARD_CONDITION,
  /// Whether the text, a string, is `count` bytes, at most 8: those of `word`, in the order of memory and with zeros
  /// after them.
  CF_GUARD_WORD,
  /// How the text, if it is a short decimal, compares with `word` times 10 to the power of minus `count`.
  CF_GUARD_DECIMAL,
} cf_guard_form;

/// What the rows of a plan must have besides their shape: the outcome of a condition that compares texts.
typedef struct cf_guard {
  /// The node with the text, and that with the text it is compared with or CF_NO_NODE, relative to the row's.
  uint32_t value;
  uint32_t other;
  /// A row of the plan's conditions.
  uint32_t condition;
  /// The outcome that the plan was recorded with.
  bool holds;
  /// A `cf_guard_form`.
  uint8_t form;
  /// A `cf_comparison`, for a decimal.
  uint8_t comparison;
  uint8_t count;
  uint64_t word;
} cf_guard;

#define CF_NO_NODE 0xFFFFFFFFu

/// A longer text has no guard: its row is rendered without a plan.
#define CF_GUARDED_BYTES 64

/// The output of rows of one shape. Whoever made a plan owns what it points to and keeps it until it is no
/// longer used; the functions here neither keep nor free anything.
typedef struct cf_plan {
  /// The last piece has the code `CF_PIECE_END`; `end` is after it.
  const cf_piece *pieces;
  const cf_piece *end;
  const uint8_t *literals;
  /// The shape: for each node of a row, the relevant bits of its words, and their values. If the number of
  /// nodes is odd, one more without relevant bits.
  const cf_node *masks;
  const cf_node *wanted;
  int64_t node_count;
  const cf_guard *guards;
  int64_t guard_count;
  cf_conditions conditions;
  /// Plans of one family differ only in the outcomes of their guards. 0 if a plan belongs to none.
  uint64_t family;
  /// A bit for each guard, from the lowest: whether it holds.
  uint64_t outcomes;
  /// The other conditions it was made for, and the iterations that a row takes.
  int64_t terms;
  int64_t iterations;
  /// How many outlets of a row find nothing, and how many of them are left as drawn.
  int64_t missing;
  int64_t drawn;
  /// Bytes of memory it uses.
  int64_t held_bytes;
} cf_plan;

/// How far a plan was rendered: the next piece, of which nothing is written, and the write position.
typedef struct cf_plan_progress {
  const cf_piece *piece;
  uint8_t *target;
} cf_plan_progress;

/// The number of expected plans, indexed by the lowest bits of a row's node count.
#define CF_EXPECTED_PLANS 32

/// Consecutive rows, and how far they have been rendered. Owns nothing; `text` and the target are in bytes,
/// `row` counts nodes. A row whose head has CF_NODE_LIKE_MODEL uses the plan of the last model before it, without
/// a comparison.
typedef struct cf_row_run {
  const cf_plan *plans;
  /// CF_EXPECTED_PLANS indexes of plans: those that rows with the same node count used last.
  uint8_t *expected;
  int64_t plan_count;
  /// All nodes, CF_NODE_SPARE more, and the text they refer to.
  const cf_node *nodes;
  const uint8_t *text;
  /// The terms of the plans that fit, and the most iterations of all rows.
  int64_t terms;
  int64_t iteration_limit;
  uint8_t *target_end;
  /// No row is started after this address.
  uint8_t *pause;
  /// Null if no plan has formats.
  const cf_formats *_Nullable formats;

  /// The node of the next row.
  int64_t row;
  int64_t rows_left;
  int64_t iterations;
  /// What the rendered rows have not found: see `cf_plan`.
  int64_t missing;
  int64_t drawn;
  uint8_t *target;
  /// The model's plan, once known: the first if it has no guards, the second if it has; used only inside the loop.
  const cf_plan *_Nullable model_plan;
  const cf_plan *_Nullable guarded_model;
  /// The plan of a row in progress, its next piece, and the start of its output; otherwise null.
  const cf_plan *_Nullable plan;
  const cf_piece *_Nullable piece;
  uint8_t *_Nullable row_start;
} cf_row_run;

typedef struct cf_plan_kernels {
  /// Renders pieces from `piece` on, up to one that must be done in Swift: `CF_PIECE_OTHER`, a URL that must
  /// be checked, a text that does not fit its format, or one for which `target` may lack room. After a piece with the code `CF_PIECE_END`, returns
  /// the position after it.
  ///
  /// - Requires: the pieces end with that code; everything they refer to is inside the literals, the row and
  ///   the text; all of these and the target are followed by CF_ESCAPE_PADDING bytes, as in `escape.h`.
  /// - Cost: linear.
  cf_plan_progress (*render)(
      const cf_piece *piece, const uint8_t *literals, const cf_node *row, const uint8_t *text,
      const cf_formats *_Nullable formats, uint8_t *target, uint8_t *target_end);
  /// Renders row after row as long as each has a plan. Stops before a row that has none or would take too
  /// many iterations, and within a row at a piece that must be done in Swift.
  ///
  /// - Requires: as `render`; there is at least one plan, and one more node after the last row's can be read.
  /// - Cost: linear; each row is compared with at most all plans, and with none if it is like a model already
  ///   rendered.
  void (*render_rows)(cf_row_run *run);
  /// Whether the nodes have the plan's shape, and their texts pass its guards. Their number must be equal, and one more
  /// node must be readable. Cost: linear in the nodes.
  bool (*has_shape)(const cf_node *nodes, const uint8_t *text, const cf_plan *plan);
} cf_plan_kernels;

/// A variant's functions, or null if this processor cannot run them; for tests. Valid forever.
const cf_plan_kernels *_Nullable cf_plan_kernels_of(cf_variant variant);

/// The best available variant. Written only before `main`, so any thread may read it.
extern const cf_plan_kernels *cf_best_plan_kernels;

/// Takes its seven arguments apart, because a struct of them would be filled for each row.
static inline cf_plan_progress cf_render_pieces(
    const cf_piece *piece, const uint8_t *literals, const cf_node *row, const uint8_t *text,
    const cf_formats *_Nullable formats, uint8_t *target, uint8_t *target_end) {
  return cf_best_plan_kernels->render(piece, literals, row, text, formats, target, target_end);
}

static inline void cf_render_rows(cf_row_run *run) { cf_best_plan_kernels->render_rows(run); }

static inline bool cf_has_shape(const cf_node *nodes, const uint8_t *text, const cf_plan *plan) {
  return cf_best_plan_kernels->has_shape(nodes, text, plan);
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
