// The loops over plans, in the width that the source has included. A width with its own comparison of nodes
// defines CF_COMPARES_NODES and
//
// - cf_nodes_differ(nodes, plan): whether the nodes, plus one if their number is odd, do not have the plan's
//   shape.

#include "loops/escape_loops.h"
#include "row_plan.h"

#ifndef CF_COMPARES_NODES
CF_LOOP bool cf_nodes_differ(const cf_node *nodes, const cf_plan *plan) {
  uint32_t difference = 0;
  for (int64_t at = 0; at < plan->node_count; at++) {
    difference |= ((nodes[at].head & plan->masks[at].head) ^ plan->wanted[at].head) |
                  ((nodes[at].link & plan->masks[at].link) ^ plan->wanted[at].link);
  }
  return difference != 0;
}
#endif

// Copies `count` bytes. Bytes written after them are overwritten by what follows.
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

// The replacing functions of the markup escapers, and the escapers of other pieces; plain URLs, the most
// common ones, use neither.
static cf_escaper *const cf_replacers[] = {
    [CF_PIECE_HTML] = CF_NAMED(replace_in_html), 
    [CF_PIECE_ATTRIBUTE] = CF_NAMED(replace_in_attribute),
    [CF_PIECE_TEXT] = CF_NAMED(replace_in_text),
};
static cf_escaper *const cf_piece_escapers[] = {
    [CF_PIECE_URL] = CF_NAMED(escape_url),
    [CF_PIECE_URL_PART] = CF_NAMED(escape_url_part),
    [CF_PIECE_URL_COMPONENT] = CF_NAMED(escape_url_component),
};

// Replaces in what the escapers of these numbers print; null for others, which print it as it is.
static cf_escaper *const cf_format_replacers[] = {
    [2] = CF_NAMED(replace_in_text),
    [3] = CF_NAMED(replace_in_html),
    [4] = CF_NAMED(replace_in_attribute),
};

// Writes a formatted text, or the attribute that programs read. Returns null if it does not fit its format, or there may
// be no room.
CF_TARGET static __attribute__((noinline)) uint8_t *write_format(
    const cf_piece *piece, const cf_node *row, const uint8_t *text, const cf_formats *formats, uint8_t *target,
    uint8_t *target_end) {
  const cf_node *node = row + piece->value;
  const uint8_t *value = text + node->offset;
  uint8_t *scratch = formats->scratch;
  int32_t count;
  if (piece->code == CF_PIECE_MACHINE) {
    if (node->length > CF_MACHINE_VALUE_BYTES) return NULL;
    count = cf_write_machine(formats->formats + (piece->format - 1), value, node->length, scratch);
    if (count < 0) return target;
  } else {
    const uint8_t *code = NULL;
    size_t code_count = 0;
    if (piece->code == CF_PIECE_FORMAT_PAIR) {
      const cf_node *currency = row + piece[1].value;
      code = text + currency->offset;
      code_count = currency->length;
    }
    const cf_formatter *formatter = formats->ready[piece->format - 1];
    // Not used yet since it was dropped: the row makes it ready when it is rendered without the plan.
    if (!formatter) return NULL;
    count = cf_print(formatter, value, node->length, code, code_count, formats->clock, scratch);
    if (count < 0) return NULL;
  }
  if (count > target_end - target) return NULL;
  cf_escaper *replace = piece->escaper <= 4 ? cf_format_replacers[piece->escaper] : NULL;
  if (!replace) return cf_copy(target, scratch, (size_t)count);
  cf_progress progress = cf_escape(CF_ATTRIBUTE_PLACE, replace, target, target_end, scratch, scratch + count);
  return progress.source == scratch + count ? progress.target : NULL;
}

/* The parameters are those of `cf_render_pieces`, in registers. */
CF_LOOP cf_plan_progress cf_render(
    const cf_piece *piece, const uint8_t *literals, const cf_node *row, const uint8_t *text,
    const cf_formats *formats, uint8_t *target, uint8_t *target_end) {
  uint32_t code;
  for (; (code = piece->code) > CF_PIECE_OTHER; piece++) {
    const cf_node *node = row + piece->value;
    size_t literal = piece->literal_count, length = node->length;
    if (literal + length > (size_t)(target_end - target)) return (cf_plan_progress){piece, target};
    const uint8_t *source = text + node->offset, *end = source + length;
    uint8_t *start = cf_copy(target, literals + piece->literal, literal);
    if (code <= CF_PIECE_TEXT && length <= CF_WIDTH) {
      // Numbers, names and dates. The marks of an attribute include those of the other destinations.
      cf_vector short_text = cf_load_vector(source);
      cf_store_vector(start, short_text);
      if (code == CF_PIECE_PLAIN || cf_below(length, cf_marks(CF_ATTRIBUTE_PLACE, short_text)) == 0) {
        target = start + length;
        continue;
      }
    }
    cf_progress progress;
    if (code == CF_PIECE_URL && cf_begins_plain_url(source)) {
      progress = cf_escape_url(start, target_end, source, end);
    } else if (code == CF_PIECE_PLAIN) {
      target = cf_copy(start, source, length);
      continue;
    } else if (code <= CF_PIECE_TEXT) {
      progress = cf_escape(CF_ATTRIBUTE_PLACE, cf_replacers[code], start, target_end, source, end);
    } else if (code >= CF_PIECE_FORMAT) {
      uint8_t *end_of_text = NULL;
      if (code == CF_PIECE_PLAIN_FORMAT) {
        // Nothing to escape: it is printed where it is to be.
        const cf_formatter *formatter = formats->ready[piece->format - 1];
        if (formatter) end_of_text = cf_print_plain(formatter, source, length, formats->clock, start, target_end);
      } else {
        end_of_text = write_format(piece, row, text, formats, start, target_end);
      }
      if (!end_of_text) return (cf_plan_progress){piece, target};
      target = end_of_text;
      piece += code == CF_PIECE_FORMAT_PAIR;
      continue;
    } else {
      if (code != CF_PIECE_URL && length <= CF_WIDTH) {
        // The marks of a URL component include those of the other URL parts.
        cf_vector short_text = cf_load_vector(source);
        cf_store_vector(start, short_text);
        if (cf_below(length, cf_marks(CF_URL_COMPONENT_PLACE, short_text)) == 0) {
          target = start + length;
          continue;
        }
      }
      progress = cf_piece_escapers[code](start, target_end, source, end);
    }
    if (progress.source != end) return (cf_plan_progress){piece, target};
    target = progress.target;
  }
  size_t literal = piece->literal_count;
  if (code == CF_PIECE_OTHER || literal > (size_t)(target_end - target)) return (cf_plan_progress){piece, target};
  return (cf_plan_progress){piece + 1, cf_copy(target, literals + piece->literal, literal)};
}

CF_TARGET static cf_plan_progress render(
    const cf_piece *piece, const uint8_t *literals, const cf_node *row, const uint8_t *text,
    const cf_formats *formats, uint8_t *target, uint8_t *target_end) {
  return cf_render(piece, literals, row, text, formats, target, target_end);
}

CF_LOOP bool cf_compares(const cf_guard *guard, cf_decimal decimal) {
  __int128 value = decimal.digits, bound = (int64_t)guard->word;
  for (int scale = decimal.scale; scale < guard->count; scale++) value *= 10;
  for (int scale = guard->count; scale < decimal.scale; scale++) bound *= 10;
  switch (guard->comparison) {
    case CF_EQUAL: return value == bound;
    case CF_NOT_EQUAL: return value != bound;
    case CF_LESS: return value < bound;
    case CF_LESS_OR_EQUAL: return value <= bound;
    case CF_GREATER: return value > bound;
    case CF_GREATER_OR_EQUAL: return value >= bound;
    default: __builtin_trap();
  }
}

CF_LOOP cf_outcome cf_guard_outcome(const cf_guard *guard, const cf_node *row, const uint8_t *text, const cf_plan *plan) {
  const cf_node *node = row + guard->value;
  if (guard->form == CF_GUARD_WORD) {
    if (node->length != guard->count) return node->length > CF_GUARDED_BYTES ? CF_TOO_LONG : CF_FAILS;
    uint64_t word;
    memcpy(&word, text + node->offset, 8);
    // Bytes after the text are shifted out.
    uint64_t mask = guard->count == 0 ? 0 : ~0ull >> (64 - 8 * guard->count);
    return (word & mask) == guard->word;
  }
  cf_decimal decimal;
  if (guard->form == CF_GUARD_DECIMAL && cf_read_decimal(text + node->offset, node->length, &decimal)) {
    return cf_compares(guard, decimal);
  }
  return cf_condition_outcome(guard, row, text, plan);
}

// The outcomes of the plan's guards for a row of its shape, a bit each; the highest bit if no plan fits.
CF_LOOP uint64_t cf_outcomes(const cf_plan *plan, const cf_node *row, const uint8_t *text) {
  uint64_t outcomes = 0;
  for (int64_t at = 0; at < plan->guard_count; at++) {
    cf_outcome outcome = cf_guard_outcome(plan->guards + at, row, text, plan);
    outcomes |= outcome == CF_TOO_LONG ? 1ull << 63 : (uint64_t)outcome << at;
  }
  return outcomes;
}

// Whether a row with this many nodes has the plan's shape.
CF_LOOP bool cf_is_alike(const cf_plan *plan, const cf_node *row, int64_t node_count, int64_t terms) {
  return plan->node_count == node_count && plan->terms == terms && !cf_nodes_differ(row, plan);
}

// The plan with these outcomes in the family of a plan; null if there is none.
CF_LOOP const cf_plan *find_relative(const cf_row_run *run, const cf_plan *plan, uint64_t outcomes) {
  if (plan->outcomes == outcomes) return plan;
  for (int64_t number = 0; number < run->plan_count; number++) {
    const cf_plan *other = run->plans + number;
    if (other->outcomes == outcomes && other->family == plan->family) return other;
  }
  return NULL;
}

// Searches all plans for that of a row, by its shape and its guards. The rest is as `find_plan` says.
CF_TARGET static __attribute__((noinline)) const cf_plan *search_plans(cf_row_run *run, const cf_node *row, int64_t node_count) {
  // Rows like a model have its shape, but their texts may have other outcomes.
  if (row->head & CF_NODE_LIKE_MODEL && run->guarded_model) {
    const cf_plan *plan = find_relative(run, run->guarded_model, cf_outcomes(run->guarded_model, row, run->text));
    if (plan) return plan;
  }
  uint8_t *expected = run->expected + node_count % CF_EXPECTED_PLANS;
  const cf_plan *plan = NULL, *candidate = run->plans + *expected;
  if (cf_is_alike(candidate, row, node_count, run->terms)) {
    plan = find_relative(run, candidate, cf_outcomes(candidate, row, run->text));
  }
  // Plans of one shape may have guards of several families.
  for (int64_t number = 0; !plan && number < run->plan_count; number++) {
    candidate = run->plans + number;
    if (!cf_is_alike(candidate, row, node_count, run->terms)) continue;
    if (cf_outcomes(candidate, row, run->text) == candidate->outcomes) plan = candidate;
  }
  if (plan) *expected = (uint8_t)(plan - run->plans);
  if (row->head & (CF_NODE_LIKE_MODEL | CF_NODE_MODEL)) {
    bool is_guarded = plan && plan->guard_count != 0;
    run->model_plan = is_guarded ? NULL : plan;
    run->guarded_model = is_guarded ? plan : NULL;
  }
  return plan;
}

// The plan of the run's row at `at`, or null. Also sets the model's plan if the row is a model or like one.
CF_TARGET static __attribute__((noinline)) const cf_plan *find_plan(cf_row_run *run, int64_t at) {
  const cf_node *row = run->nodes + at;
  int64_t node_count = row->link - at;
  if (row->head & CF_NODE_LIKE_MODEL && run->guarded_model) return search_plans(run, row, node_count);
  // Most rows have the shape of the last one with as many nodes, and no guards.
  const cf_plan *plan = run->plans + run->expected[node_count % CF_EXPECTED_PLANS];
  if (plan->guard_count != 0 || !cf_is_alike(plan, row, node_count, run->terms)) {
    return search_plans(run, row, node_count);
  }
  if (row->head & (CF_NODE_LIKE_MODEL | CF_NODE_MODEL)) {
    run->model_plan = plan;
    run->guarded_model = NULL;
  }
  return plan;
}

CF_TARGET static void render_rows(cf_row_run *run) {
  // Values in memory would be read again after every byte written. Only values needed once per row stay
  // there.
  const cf_node *const nodes = run->nodes;
  const uint8_t *const text = run->text;
  const cf_formats *const formats = run->formats;
  uint8_t *target = run->target, *const target_end = run->target_end, *const pause = run->pause;
  int64_t at = run->row, rows_left = run->rows_left, iterations_left = run->iteration_limit - run->iterations;
  run->plan = NULL;
  run->model_plan = run->guarded_model = NULL;
  for (; rows_left > 0 && target <= pause; rows_left--) {
    const cf_node *row = nodes + at;
    const cf_plan *plan = row->head & CF_NODE_LIKE_MODEL ? run->model_plan : NULL;
    if (!plan) plan = find_plan(run, at);
    if (!plan || plan->iterations > iterations_left) break;
    iterations_left -= plan->iterations;
    cf_plan_progress progress = cf_render(plan->pieces, plan->literals, row, text, formats, target, target_end);
    if (progress.piece != plan->end) {
      run->plan = plan;
      run->piece = progress.piece;
      run->row_start = target;
      target = progress.target;
      break;
    }
    target = progress.target;
    if (plan->missing) {
      run->missing += plan->missing;
      run->drawn += plan->drawn;
    }
    at = row->link;
  }
  run->iterations = run->iteration_limit - iterations_left;
  run->rows_left = rows_left;
  run->row = at;
  run->target = target;
}

CF_TARGET static bool has_shape(const cf_node *nodes, const uint8_t *text, const cf_plan *plan) {
  return !cf_nodes_differ(nodes, plan) && cf_outcomes(plan, nodes, text) == plan->outcomes;
}

#define CF_PLAN_KERNELS {.render = render, .render_rows = render_rows, .has_shape = has_shape}
