#include "token_index.hpp"

#include <discard.h>
#include <simdjson.h>

static_assert(CF_JSON_PADDING >= simdjson::SIMDJSON_PADDING, "the library reads as far as its padding");

using implementation_pointer = std::unique_ptr<simdjson::internal::dom_parser_implementation>;

static simdjson::internal::dom_parser_implementation *parser_of(void *implementation) {
  return static_cast<simdjson::internal::dom_parser_implementation *>(implementation);
}

static void free_places(void *places) { delete[] static_cast<uint32_t *>(places); }

void token_index::release_places() noexcept {
  if (!implementation) return;
  cf_discard(parser_of(implementation)->structural_indexes.release(), places_bytes(capacity), free_places);
}

enum cf_json_status token_index::reserve(size_t wanted_capacity) noexcept {
  // Nothing here is declared to throw. If the library ever does, the exception must not pass through Swift.
  try {
    if (!implementation) {
      implementation_pointer made;
      // Depth 1: stage 2, which would need a stack, never runs.
      if (simdjson::get_active_implementation()->create_dom_parser_implementation(wanted_capacity, 1, made)) {
        return CF_JSON_OUT_OF_MEMORY;
      }
      implementation = made.release();
    } else {
      release_places();
      if (parser_of(implementation)->set_capacity(wanted_capacity)) {
        release();
        return CF_JSON_OUT_OF_MEMORY;
      }
    }
    capacity = wanted_capacity;
    return CF_JSON_OK;
  } catch (...) {
    return CF_JSON_OUT_OF_MEMORY;
  }
}

uint32_t *token_index::memory() const noexcept {
  return implementation ? parser_of(implementation)->structural_indexes.get() : nullptr;
}

enum cf_json_status token_index::fill(const uint8_t *text, size_t length, size_t wanted_capacity, uint32_t **places,
                                      uint32_t *count) noexcept {
  if (length == 0) return CF_JSON_REFUSED;
  if (length > capacity || !implementation) {
    enum cf_json_status status = reserve(wanted_capacity > length ? wanted_capacity : length);
    if (status != CF_JSON_OK) return status;
  }
  try {
    auto *parser = parser_of(implementation);
    simdjson::error_code error = parser->stage1(text, length, simdjson::stage1_mode::regular);
    if (error == simdjson::MEMALLOC) return CF_JSON_OUT_OF_MEMORY;
    if (error) return CF_JSON_REFUSED;
    *places = parser->structural_indexes.get();
    *count = parser->n_structural_indexes;
    (*places)[*count] = uint32_t(length);
    return CF_JSON_OK;
  } catch (...) {
    return CF_JSON_OUT_OF_MEMORY;
  }
}

void token_index::release() noexcept {
  release_places();
  delete parser_of(implementation);
  implementation = nullptr;
  capacity = 0;
}

size_t token_index::places_bytes(size_t capacity) noexcept {
  // The library's own rule (`set_capacity`).
  return (((capacity + 63) & ~size_t(63)) + 9) * sizeof(uint32_t);
}

size_t token_index::bytes_for(size_t capacity) noexcept {
  // The places and the object around them.
  return places_bytes(capacity) + 256;
}

extern "C" const char *cf_json_library_version(void) {
#define CF_TEXT_OF(macro) #macro
#define CF_TEXT(macro) CF_TEXT_OF(macro)
  return CF_TEXT(SIMDJSON_VERSION);
#undef CF_TEXT
#undef CF_TEXT_OF
}
