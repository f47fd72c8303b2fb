/// Plans: what rows of one shape draw, as runs of bytes with the rows' texts between them; and the comparison of a row
/// with a shape. In the variants of `escape.h`, chosen as there.
#ifndef CF_PLAN_H
#define CF_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "escape.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// What stands behind a piece's literal.
typedef enum cf_piece_code {
  /// Nothing: it is the last piece.
  CF_PIECE_END,
  /// Something that is not done here.
  CF_PIECE_OTHER,
  /// A text as it is.
  CF_PIECE_PLAIN,
  /// A text through the escaper of that name.
  CF_PIECE_HTML,
  CF_PIECE_ATTRIBUTE,
  CF_PIECE_TEXT,
  CF_PIECE_URL,
  CF_PIECE_URL_PART,
  CF_PIECE_URL_COMPONENT,
} cf_piece_code;

/// Bytes to copy, and what to do behind them. 16 bytes.
typedef struct cf_piece {
  /// Bytes of the plan's literals: where they begin, and how many.
  uint32_t literal;
  uint32_t literal_count;
  /// The node that holds the text, counted from the row's; of another piece it is not looked at.
  uint32_t value;
  /// A `cf_piece_code`.
  uint8_t code;
  /// For who does what is not done here.
  uint8_t escaper;
  uint16_t unused;
} cf_piece;

/// A node of parsed JSON, in four words.
typedef struct cf_row_node {
  uint32_t head;
  /// Where its text stands, and how many bytes it has.
  uint32_t offset;
  uint32_t length;
  uint32_t link;
} cf_row_node;

/// What rows of one shape draw.
typedef struct cf_plan {
  /// The last has the code `CF_PIECE_END`; `end` is behind it.
  const cf_piece *pieces;
  const cf_piece *end;
  const uint8_t *literals;
  /// The shape: for each node of a row the bits of its words that count, and what they are; of an odd number of nodes one
  /// more without any such bit.
  const cf_row_node *masks;
  const cf_row_node *wanted;
  int64_t node_count;
  /// What else it was made for, and how many turns a row takes.
  int64_t terms;
  int64_t turns;
  /// Bytes of memory it takes.
  int64_t held_bytes;
} cf_plan;

/// How far a plan was drawn: the next piece, of which nothing is written, and where it goes.
typedef struct cf_drawing {
  const cf_piece *piece;
  uint8_t *target;
} cf_drawing;

/// How many plans are expected: by a row's count of nodes, of which the lowest bits tell.
#define CF_EXPECTED_PLANS 32

/// Rows that stand one behind another, and how far they have been drawn.
typedef struct cf_row_run {
  const cf_plan *plans;
  /// CF_EXPECTED_PLANS numbers of plans: those that rows of as many nodes had the last time.
  uint8_t *expected;
  int64_t plan_count;
  /// All nodes, and the text they name.
  const cf_row_node *nodes;
  const uint8_t *text;
  int64_t terms;
  /// A bit of a row's head, no part of its shape: it is a model for the rows behind it.
  uint32_t model;
  /// Another: the row has the shape of the last model before it. Rows that have none before them are all alike.
  uint32_t like_model;
  int64_t turns_limit;
  uint8_t *target_end;
  /// No row is begun behind it.
  uint8_t *pause;

  /// The node of the next row.
  int64_t row;
  int64_t rows_left;
  int64_t turns;
  uint8_t *target;
  /// The model's plan, once it is known; for the loop alone.
  const cf_plan *_Nullable model_plan;
  /// Of a row that is begun its plan, the next piece and where its output begins; else null.
  const cf_plan *_Nullable plan;
  const cf_piece *_Nullable piece;
  uint8_t *_Nullable row_start;
} cf_row_run;

typedef struct cf_plan_kernels {
  /// Draws pieces from `piece` on, up to one that is not done here: another one, a URL to be judged, or one for which
  /// `target` may lack the room. Behind a piece with the code `CF_PIECE_END` it tells the place behind that.
  ///
  /// - Requires: the pieces end with that code; what each names lies in the literals, the row and the text; all of these
  ///   and the target have CF_MARKUP_PADDING bytes behind them, as in `escape.h`.
  /// - Cost: linear.
  cf_drawing (*draw)(
      const cf_piece *piece, const uint8_t *literals, const cf_row_node *row, const uint8_t *text, uint8_t *target,
      uint8_t *target_end);
  /// Draws row after row, as long as each has a plan; it stops before one that has none, or that would take too many
  /// turns, and in one that has a piece that is not done here.
  ///
  /// - Requires: as `draw`; there is a plan, and behind the last row's nodes another node can be read.
  /// - Cost: linear; for each row at most the plans there are are compared with it, and none if it is like a model that
  ///   was drawn before.
  void (*draw_rows)(cf_row_run *run);
  /// Whether the nodes have the plan's shape; there are as many. Behind them another node can be read. Cost: linear.
  bool (*has_shape)(const cf_row_node *nodes, const cf_plan *plan);
} cf_plan_kernels;

/// A variant's functions, or null if this processor cannot run them; for tests. Valid for ever.
const cf_plan_kernels *_Nullable cf_plan_kernels_of(cf_variant variant);

/// The best of the variants. Written before `main` alone: any thread may read it.
extern const cf_plan_kernels *cf_best_plan_kernels;

static inline cf_drawing cf_draw_pieces(
    const cf_piece *piece, const uint8_t *literals, const cf_row_node *row, const uint8_t *text, uint8_t *target,
    uint8_t *target_end) {
  return cf_best_plan_kernels->draw(piece, literals, row, text, target, target_end);
}

static inline void cf_draw_rows(cf_row_run *run) { cf_best_plan_kernels->draw_rows(run); }

static inline bool cf_has_shape(const cf_row_node *nodes, const cf_plan *plan) {
  return cf_best_plan_kernels->has_shape(nodes, plan);
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
