// The loops over plans, of all variants: included behind escape_loop.h, with what that needs. A variant that compares
// nodes in a way of its own defines CF_COMPARES_NODES, and
//
// - cf_nodes_differ(nodes, plan): whether the nodes, one more of an odd number, have not the plan's shape.

#include "plan.h"

#ifndef CF_COMPARES_NODES
CF_LOOP bool cf_nodes_differ(const cf_row_node *nodes, const cf_plan *plan) {
  uint32_t difference = 0;
  for (size_t at = 0; at < plan->node_count; at++) {
    difference |= ((nodes[at].head & plan->masks[at].head) ^ plan->wanted[at].head) |
                  ((nodes[at].link & plan->masks[at].link) ^ plan->wanted[at].link);
  }
  return difference != 0;
}
#endif

// Copies `count` bytes: what is written behind them is overwritten by what follows.
CF_LOOP uint8_t *cf_copy(uint8_t *target, const uint8_t *source, size_t count) {
#if CF_WIDTH == 1
  memcpy(target, source, count);
#else
  cf_store_vector(target, cf_load_vector(source));
  for (size_t at = CF_WIDTH; at < count; at += CF_WIDTH) {
    cf_store_vector(target + at, cf_load_vector(source + at));
  }
#endif
  return target + count;
}

// The escapers of pieces, but for element text, which is most of them.
static cf_escaper *const cf_piece_escapers[] = {
    [CF_PIECE_ATTRIBUTE] = escape_attribute,         [CF_PIECE_TEXT] = escape_text,
    [CF_PIECE_URL] = escape_url,                     [CF_PIECE_URL_PART] = escape_url_part,
    [CF_PIECE_URL_COMPONENT] = escape_url_component,
};

CF_LOOP cf_drawing cf_draw(
    const cf_piece *piece, const uint8_t *literals, const cf_row_node *row, const uint8_t *text, uint8_t *target,
    uint8_t *target_end) {
  for (;; piece++) {
    size_t room = (size_t)(target_end - target), literal = piece->literal_count;
    if (piece->code <= CF_PIECE_OTHER) {
      if (piece->code == CF_PIECE_OTHER || literal > room) break;
      return (cf_drawing){piece + 1, cf_copy(target, literals + piece->literal, literal)};
    }
    const cf_row_node *node = row + piece->value;
    size_t length = node->length;
    if (literal + length > room) break;
    uint8_t *start = cf_copy(target, literals + piece->literal, literal);
    const uint8_t *source = text + node->offset;
    if (piece->code == CF_PIECE_PLAIN) {
      target = cf_copy(start, source, length);
      continue;
    }
    const uint8_t *end = source + length;
    cf_progress progress = piece->code == CF_PIECE_HTML
                               ? cf_escape(CF_HTML_PLACE, false, replace_in_html, start, target_end, source, end)
                               : cf_piece_escapers[piece->code](start, target_end, source, end);
    if (progress.source != end) break;
    target = progress.target;
  }
  return (cf_drawing){piece, target};
}

CF_TARGET static cf_drawing draw(
    const cf_piece *piece, const uint8_t *literals, const cf_row_node *row, const uint8_t *text, uint8_t *target,
    uint8_t *target_end) {
  return cf_draw(piece, literals, row, text, target, target_end);
}

CF_LOOP bool cf_fits(const cf_plan *plan, const cf_row_run *run) {
  const cf_row_node *row = run->nodes + run->row;
  return row->link - run->row == plan->node_count && plan->terms == run->terms && !cf_nodes_differ(row, plan);
}

// The number of the next row's plan; the number of plans there are, if it has none.
CF_LOOP uint32_t cf_find_plan(cf_row_run *run) {
  cf_plan *last = run->plans + run->last;
  if (cf_fits(run->plans + last->successor, run)) return last->successor;
  for (uint32_t number = 0; number < run->plan_count; number++) {
    if (!cf_fits(run->plans + number, run)) continue;
    last->successor = number;
    return number;
  }
  return run->plan_count;
}

CF_TARGET static void draw_rows(cf_row_run *run) {
  uint8_t *target = run->target;
  run->piece = NULL;
  while (run->rows_left > 0 && target <= run->pause) {
    uint32_t number = cf_find_plan(run);
    if (number == run->plan_count || run->plans[number].turns > run->turns_limit - run->turns) break;
    const cf_plan *plan = run->plans + number;
    const cf_row_node *row = run->nodes + run->row;
    run->last = number;
    run->turns += plan->turns;
    cf_drawing drawing = cf_draw(plan->pieces, plan->literals, row, run->text, target, run->target_end);
    if (drawing.piece != plan->end) {
      run->piece = drawing.piece;
      run->row_start = target;
      target = drawing.target;
      break;
    }
    target = drawing.target;
    run->row = row->link;
    run->rows_left--;
  }
  run->target = target;
}

CF_TARGET static bool has_shape(const cf_row_node *nodes, const cf_plan *plan) { return !cf_nodes_differ(nodes, plan); }

#define CF_PLAN_KERNELS {.draw = draw, .draw_rows = draw_rows, .has_shape = has_shape}
