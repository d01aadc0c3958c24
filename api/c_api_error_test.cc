// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <thread>

#include "ringscribe/ringscribe_c.h"

namespace {

// A session that goes nowhere, with a domain and a stream.
struct Fixture {
  ringscribe_session* session = nullptr;
  ringscribe_domain* domain = nullptr;
  ringscribe_stream* stream = nullptr;

  Fixture() {
    ringscribe_session_options options = RINGSCRIBE_SESSION_OPTIONS_INIT;
    options.backend_name = "null";
    REQUIRE(ringscribe_session_begin("errors", &options, &session) == RINGSCRIBE_SUCCESS);
    REQUIRE(ringscribe_session_get_domain(session, "d", &domain) == RINGSCRIBE_SUCCESS);
    ringscribe_stream_options where = RINGSCRIBE_STREAM_OPTIONS_INIT;
    where.domain = domain;
    REQUIRE(ringscribe_session_create_stream(session, "s", &where, &stream) == RINGSCRIBE_SUCCESS);
  }
  ~Fixture() { ringscribe_session_release(session); }

  uint64_t invalid() const {
    ringscribe_counts counts = RINGSCRIBE_COUNTS_INIT;
    REQUIRE(ringscribe_stream_stats(stream, &counts) == RINGSCRIBE_SUCCESS);
    return counts.lost_by_cause[RINGSCRIBE_LOSS_INVALID];
  }
};

void check_refused(ringscribe_result result, const std::string& sentence) {
  CHECK(result == RINGSCRIBE_INVALID_ARGUMENT);
  CHECK(std::string(ringscribe_last_error()) == sentence);
}

ringscribe_field field(const char* name, uint64_t type) {
  ringscribe_field result = RINGSCRIBE_FIELD_INIT;
  result.name = name;
  result.type = type;
  return result;
}

// Options of a newer header: as ours, with one member more.
struct NewerScopeOptions {
  ringscribe_scope_options known = RINGSCRIBE_SCOPE_OPTIONS_INIT;
  uint64_t added = 0;
  NewerScopeOptions() { known.struct_size = sizeof *this; }
};

}  // namespace

TEST_CASE("NULL in a set-up call is an error whose sentence names the argument") {
  Fixture f;
  ringscribe_session* session = nullptr;
  check_refused(ringscribe_session_begin(nullptr, nullptr, &session),
                "ringscribe_session_begin: name is NULL: give the session a name");
  check_refused(ringscribe_session_begin("s", nullptr, nullptr),
                "ringscribe_session_begin: session_out is NULL: give the address of a pointer that "
                "receives the handle");
  check_refused(ringscribe_session_end(nullptr),
                "ringscribe_session_end: session is NULL: give what ringscribe_session_begin gave "
                "out");
  check_refused(ringscribe_session_flush(nullptr),
                "ringscribe_session_flush: session is NULL: give what ringscribe_session_begin "
                "gave out");
  ringscribe_domain* domain = f.domain;
  CHECK(ringscribe_session_get_domain(nullptr, "d", &domain) == RINGSCRIBE_INVALID_ARGUMENT);
  CHECK(domain == nullptr);
  const ringscribe_scope* scope = nullptr;
  check_refused(ringscribe_domain_get_scope(nullptr, "a/b", nullptr, &scope),
                "ringscribe_domain_get_scope: domain is NULL: give what "
                "ringscribe_session_get_domain gave out");
  check_refused(ringscribe_domain_get_scope(f.domain, nullptr, nullptr, &scope),
                "ringscribe_domain_get_scope: path is NULL: give a path such as \"GPU[0]/queue\"");
  const ringscribe_schema* schema = nullptr;
  check_refused(ringscribe_domain_get_schema(f.domain, "x", nullptr, 2, nullptr, &schema),
                "ringscribe_domain_get_schema: fields is NULL: give as many as field_count says");
  const ringscribe_time_domain* time = nullptr;
  check_refused(ringscribe_domain_get_time_domain(f.domain, nullptr, &time),
                "ringscribe_domain_get_time_domain: options is NULL: say what clock it is");
  const ringscribe_counter* counter = nullptr;
  check_refused(ringscribe_domain_get_counter_group(f.domain, "g", nullptr, nullptr, &counter),
                "ringscribe_domain_get_counter_group: schema is NULL: give what "
                "ringscribe_domain_get_schema gave out");
  check_refused(ringscribe_backend_close(nullptr),
                "ringscribe_backend_close: backend is NULL: give what ringscribe_backend_load gave "
                "out");
  check_refused(ringscribe_stream_close(nullptr),
                "ringscribe_stream_close: stream is NULL: give what "
                "ringscribe_session_create_stream gave out");
  check_refused(ringscribe_session_stats(f.session, nullptr),
                "ringscribe_session_stats: counts is NULL: give a ringscribe_counts");
}

TEST_CASE("NULL as a stream records nothing, and releasing NULL does nothing") {
  const char row[8] = {};
  ringscribe_call_site site = RINGSCRIBE_CALL_SITE_INIT("m", 0, nullptr);
  CHECK(ringscribe_write_mark(nullptr, 1, nullptr) == 0);
  CHECK(ringscribe_write_pushpop(nullptr, 1, 2, nullptr) == 0);
  CHECK(ringscribe_write_startend(nullptr, 1, 2, nullptr) == 0);
  CHECK(ringscribe_write_push(nullptr, 1, nullptr) == 0);
  CHECK(ringscribe_write_pop(nullptr, 1) == 0);
  CHECK(ringscribe_write_start(nullptr, 1, nullptr, 5) == 0);
  CHECK(ringscribe_write_end(nullptr, 1, 5) == 0);
  CHECK(ringscribe_write_event(nullptr, nullptr, row, 8) == 0);
  CHECK(ringscribe_write_event_payloads(nullptr, nullptr, 0) == 0);
  CHECK(ringscribe_write_event_batch(nullptr, nullptr, row, 8, RINGSCRIBE_BATCH_DETECT) == 0);
  CHECK(ringscribe_write_counter_sample(nullptr, nullptr, 1, row, 8) == 0);
  CHECK(ringscribe_write_counter_batch(nullptr, nullptr, row, 8, nullptr, 0) == 0);
  CHECK(ringscribe_write_sync_point(nullptr, nullptr, nullptr, 1, 2) == 0);
  CHECK(ringscribe_write_conversion_factor(nullptr, nullptr, nullptr, 1.0, 1, 2) == 0);
  CHECK(ringscribe_mark_site(nullptr, &site) == 0);
  CHECK(ringscribe_range_begin(nullptr) == 0);
  CHECK(ringscribe_range_end(nullptr, &site, 1) == 0);
  CHECK(ringscribe_mark(nullptr, nullptr) == 0);
  CHECK(ringscribe_push(nullptr, nullptr) == 0);
  CHECK(ringscribe_pop(nullptr) == 0);
  CHECK(ringscribe_sample_int64(nullptr, nullptr, 1) == 0);
  CHECK(ringscribe_sample(nullptr, nullptr, row, 8) == 0);
  CHECK(ringscribe_sample_no_value(nullptr, nullptr, 0) == 0);
  CHECK(ringscribe_schema_row_bytes(nullptr) == 0);
  CHECK(ringscribe_counter_sample_bytes(nullptr) == 0);
  CHECK(ringscribe_string_bits(nullptr) == 0);
  CHECK(ringscribe_scope_id(nullptr) == 0);
  CHECK(std::string(ringscribe_session_output(nullptr)).empty());
  CHECK(std::string(ringscribe_backend_path(nullptr)).empty());
  ringscribe_stream_release(nullptr);
  ringscribe_session_release(nullptr);
  ringscribe_backend_release(nullptr);
}

TEST_CASE("a write that cannot be is counted as invalid, once a row") {
  Fixture f;
  const int64_t rows[2] = {1, 2};
  ringscribe_field time = field("t", RINGSCRIBE_TYPE_INT64);
  time.role = RINGSCRIBE_ROLE_MARK;
  ringscribe_schema_options options = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  options.kind = RINGSCRIBE_KIND_MARK;
  const ringscribe_schema* schema = nullptr;
  REQUIRE(ringscribe_domain_get_schema(f.domain, "mark", &time, 1, &options, &schema) == 0);
  CHECK(ringscribe_write_event(f.stream, nullptr, rows, 8) == 0);
  CHECK(ringscribe_write_event(f.stream, schema, nullptr, 8) == 0);
  CHECK(ringscribe_write_event(f.stream, schema, rows, 7) == 0);
  CHECK(f.invalid() == 3);
  CHECK(ringscribe_write_event_batch(f.stream, schema, rows, 16, 1) == 0);  // no ordering
  CHECK(ringscribe_write_event_batch(f.stream, schema, nullptr, 16, 0) == 0);
  CHECK(ringscribe_write_counter_sample_int64(f.stream, nullptr, 1, 1) == 0);
  CHECK(ringscribe_write_counter_sample_no_value(f.stream, nullptr, 1, 0) == 0);
  CHECK(ringscribe_write_sync_point(f.stream, nullptr, nullptr, 1, 2) == 0);
  CHECK(ringscribe_write_event_payloads(f.stream, nullptr, 1) == 0);
  CHECK(ringscribe_write_event_payloads(f.stream, nullptr, 65) == 0);
  CHECK(f.invalid() == 10);
  ringscribe_event_args args = RINGSCRIBE_EVENT_ARGS_INIT;
  args.struct_size = 0;
  CHECK(ringscribe_write_mark(f.stream, 1, &args) == 0);
  CHECK(ringscribe_write_start(f.stream, 1, &args, 9) == 9);
  CHECK(f.invalid() == 12);
  // Live calls on a stream of explicit times.
  CHECK(ringscribe_mark(f.stream, nullptr) == 0);
  CHECK(ringscribe_range_begin(f.stream) == 0);
  CHECK(f.invalid() == 14);
}

TEST_CASE("options of an older header have defaults for what they lack") {
  Fixture f;
  ringscribe_scope_options options = RINGSCRIBE_SCOPE_OPTIONS_INIT;
  options.static_id = 1;  // not valid, but beyond the older struct
  options.struct_size = offsetof(ringscribe_scope_options, static_id);
  const ringscribe_scope* scope = nullptr;
  CHECK(ringscribe_domain_get_scope(f.domain, "older", &options, &scope) == RINGSCRIBE_SUCCESS);
  options.struct_size = sizeof options;
  CHECK(ringscribe_domain_get_scope(f.domain, "ours", &options, &scope) != RINGSCRIBE_SUCCESS);

  // Semantics before there was a scale: 1 to 1, not 0 to 0.
  ringscribe_counter_semantics semantics = RINGSCRIBE_COUNTER_SEMANTICS_INIT;
  semantics.struct_size = offsetof(ringscribe_counter_semantics, unit_scale_numerator);
  semantics.unit = "bytes";
  semantics.unit_scale_numerator = semantics.unit_scale_denominator = 0;
  ringscribe_counter_options counted = RINGSCRIBE_COUNTER_OPTIONS_INIT;
  counted.semantics = &semantics;
  const ringscribe_counter* counter = nullptr;
  CHECK(ringscribe_domain_get_counter(f.domain, "c", RINGSCRIBE_TYPE_INT64, &counted, &counter) ==
        RINGSCRIBE_SUCCESS);

  ringscribe_event_args args = RINGSCRIBE_EVENT_ARGS_INIT;
  args.message = "older";
  args.struct_size = offsetof(ringscribe_event_args, category_name);
  args.category_name = reinterpret_cast<const char*>(1);  // must not be looked at
  CHECK(ringscribe_write_mark(f.stream, 1, &args) == 1);
}

TEST_CASE("options of a newer header are taken if what is unknown is zero, and refused if not") {
  Fixture f;
  NewerScopeOptions options;
  const ringscribe_scope* scope = nullptr;
  CHECK(ringscribe_domain_get_scope(f.domain, "newer", &options.known, &scope) ==
        RINGSCRIBE_SUCCESS);
  options.added = uint64_t{1} << 8;
  check_refused(ringscribe_domain_get_scope(f.domain, "newer", &options.known, &scope),
                "ringscribe_domain_get_scope: options has 32 bytes and sets a member at byte 25, "
                "which this library, with 24 bytes, does not know: leave it zero, or update the "
                "library");
  CHECK(scope == nullptr);
}

TEST_CASE("options whose size was not set are refused") {
  Fixture f;
  ringscribe_scope_options options = RINGSCRIBE_SCOPE_OPTIONS_INIT;
  const ringscribe_scope* scope = nullptr;
  for (const size_t size : {size_t{0}, size_t{7}, size_t{4097}, ~size_t{0}}) {
    options.struct_size = size;
    check_refused(ringscribe_domain_get_scope(f.domain, "a", &options, &scope),
                  "ringscribe_domain_get_scope: options->struct_size is " + std::to_string(size) +
                      ": initialise the struct with its RINGSCRIBE_..._INIT");
  }
}

TEST_CASE("counts are filled as far as the caller's struct goes, and zero beyond ours") {
  Fixture f;
  CHECK(ringscribe_write_event(f.stream, nullptr, nullptr, 0) == 0);
  struct {
    ringscribe_counts counts = RINGSCRIBE_COUNTS_INIT;
    uint64_t added = 99;
  } newer;
  newer.counts.struct_size = sizeof newer;
  CHECK(ringscribe_stream_stats(f.stream, &newer.counts) == RINGSCRIBE_SUCCESS);
  CHECK(newer.counts.lost == 1);
  CHECK(newer.counts.struct_size == sizeof newer);
  CHECK(newer.added == 0);
  ringscribe_counts older = RINGSCRIBE_COUNTS_INIT;
  older.struct_size = offsetof(ringscribe_counts, lost);
  older.lost = 99;
  CHECK(ringscribe_stream_stats(f.stream, &older) == RINGSCRIBE_SUCCESS);
  CHECK(older.lost == 99);
  older.struct_size = 0;
  check_refused(ringscribe_stream_stats(f.stream, &older),
                "ringscribe_stream_stats: counts->struct_size is 0: initialise it with "
                "RINGSCRIBE_COUNTS_INIT");
}

TEST_CASE("fields of an older header lie as far apart as its struct was large") {
  Fixture f;
  constexpr size_t kOlder = offsetof(ringscribe_field, description);
  unsigned char memory[2 * kOlder];
  ringscribe_field fields[2] = {field("a", RINGSCRIBE_TYPE_INT64),
                                field("b", RINGSCRIBE_TYPE_INT32)};
  for (size_t i = 0; i < 2; ++i) {
    fields[i].struct_size = kOlder;
    std::memcpy(memory + i * kOlder, &fields[i], kOlder);
  }
  const ringscribe_schema* schema = nullptr;
  CHECK(ringscribe_domain_get_schema(f.domain, "older",
                                     reinterpret_cast<const ringscribe_field*>(memory), 2, nullptr,
                                     &schema) == RINGSCRIBE_SUCCESS);
  CHECK(ringscribe_schema_row_bytes(schema) == 16);
  fields[0].struct_size = sizeof fields[0];
  check_refused(ringscribe_domain_get_schema(f.domain, "mixed", fields, 2, nullptr, &schema),
                "ringscribe_domain_get_schema: fields[1].struct_size is 72, that of fields[0] is "
                "120: initialise each with RINGSCRIBE_FIELD_INIT");
}

TEST_CASE("a wrong field is an error that names field and schema") {
  Fixture f;
  const ringscribe_schema* schema = nullptr;
  ringscribe_field one = field("x", 0);
  const auto get = [&] {
    return ringscribe_domain_get_schema(f.domain, "s", &one, 1, nullptr, &schema);
  };
  check_refused(get(),
                "ringscribe_domain_get_schema: field \"x\" of schema \"s\" has no type: give one "
                "of `type`, `schema` and `enumeration`");
  one = field("x", RINGSCRIBE_TYPE_INT32);
  one.array = 9;
  check_refused(get(),
                "ringscribe_domain_get_schema: field \"x\" of schema \"s\" has the array form 9: "
                "give one of RINGSCRIBE_ARRAY_*");
  one = field("x", RINGSCRIBE_TYPE_INT32);
  one.storage = 9;
  check_refused(get(),
                "ringscribe_domain_get_schema: field \"x\" of schema \"s\" has the storage 9: "
                "give one of RINGSCRIBE_STORAGE_*");

  ringscribe_domain* other = nullptr;
  REQUIRE(ringscribe_session_get_domain(f.session, "other", &other) == RINGSCRIBE_SUCCESS);
  const ringscribe_scope* scope = nullptr;
  REQUIRE(ringscribe_domain_get_scope(other, "there", nullptr, &scope) == RINGSCRIBE_SUCCESS);
  one = field("x", RINGSCRIBE_TYPE_INT32);
  one.scope = scope;
  check_refused(get(),
                "ringscribe_domain_get_schema: field \"x\" of schema \"s\" has a scope of another "
                "domain: get one from the domain of the schema");
  const ringscribe_schema* nested = nullptr;
  ringscribe_field plain = field("p", RINGSCRIBE_TYPE_INT32);
  REQUIRE(ringscribe_domain_get_schema(other, "n", &plain, 1, nullptr, &nested) == 0);
  one = field("x", 0);
  one.schema = nested;
  check_refused(get(),
                "ringscribe_domain_get_schema: field \"x\" of schema \"s\" has a schema of another "
                "domain: get one from the domain of the schema");
  ringscribe_schema_options options = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  options.kind = 1;
  check_refused(ringscribe_domain_get_schema(f.domain, "s", &plain, 1, &options, &schema),
                "ringscribe_domain_get_schema: options->kind is 1: give one of RINGSCRIBE_KIND_*");
  options.kind = 0;
  options.type = 5;
  check_refused(ringscribe_domain_get_schema(f.domain, "s", &plain, 1, &options, &schema),
                "ringscribe_domain_get_schema: options->type is 5: give one of "
                "RINGSCRIBE_SCHEMA_*");
}

TEST_CASE("numbers beyond their enum are errors") {
  Fixture f;
  CHECK(ringscribe_predefined_scope(23) == nullptr);
  CHECK(std::string(ringscribe_last_error()) ==
        "ringscribe_predefined_scope: scope is 23: give one of RINGSCRIBE_SCOPE_*");
  CHECK(ringscribe_predefined_time_domain(20) == nullptr);
  const ringscribe_scope* scope = nullptr;
  check_refused(ringscribe_domain_get_scope_by_static_id(f.domain, 5, &scope),
                "ringscribe_domain_get_scope_by_static_id: static_id is 5: NVTX's static IDs are "
                "from 16777216 to 4294967295");
  ringscribe_stream_options options = RINGSCRIBE_STREAM_OPTIONS_INIT;
  ringscribe_stream* stream = nullptr;
  options.ordering = 4;
  check_refused(ringscribe_session_create_stream(f.session, "x", &options, &stream),
                "ringscribe_session_create_stream: options->ordering is 4: give one of "
                "RINGSCRIBE_STREAM_ORDERING_*");
  options.ordering = 0;
  options.interleaving = 1 << 16;
  CHECK(ringscribe_session_create_stream(f.session, "x", &options, &stream) ==
        RINGSCRIBE_INVALID_ARGUMENT);
  CHECK(std::string(ringscribe_loss_cause_name(RINGSCRIBE_LOSS_RING_FULL)) == "ring full");
  CHECK(std::string(ringscribe_loss_cause_name(RINGSCRIBE_LOSS_CAUSES)) == "unknown");
  CHECK(std::string(ringscribe_result_name(RINGSCRIBE_LIBRARY_NOT_FOUND)) == "library not found");
  CHECK(std::string(ringscribe_result_name(99)) == "unknown result code");
}

TEST_CASE("an error of the C++ API keeps its code and sentence, and the handle is NULL") {
  Fixture f;
  ringscribe_stream* stream = f.stream;
  CHECK(ringscribe_session_create_stream(f.session, "s", nullptr, &stream) != RINGSCRIBE_SUCCESS);
  CHECK(stream == nullptr);
  CHECK(std::string(ringscribe_last_error()).find("\"s\"") != std::string::npos);
  ringscribe_backend* backend = nullptr;
  CHECK(ringscribe_backend_load("/no/such/library.so", &backend) == RINGSCRIBE_LIBRARY_NOT_FOUND);
  CHECK(std::string(ringscribe_last_error()).find("/no/such/library.so") != std::string::npos);
  const ringscribe_counter* counter = nullptr;
  CHECK(ringscribe_domain_get_counter(f.domain, "c", RINGSCRIBE_TYPE_INT64, nullptr, &counter) ==
        RINGSCRIBE_SUCCESS);
  CHECK(ringscribe_domain_get_counter(f.domain, "c", RINGSCRIBE_TYPE_FLOAT64, nullptr, &counter) ==
        RINGSCRIBE_INVALID_ARGUMENT);
  CHECK(counter == nullptr);
}

TEST_CASE("each thread has an error of its own, and a success leaves it") {
  check_refused(ringscribe_session_end(nullptr),
                "ringscribe_session_end: session is NULL: give what ringscribe_session_begin gave "
                "out");
  std::string elsewhere = "not run";
  std::thread([&] { elsewhere = ringscribe_last_error(); }).join();
  CHECK(elsewhere.empty());
  Fixture f;
  CHECK(std::string(ringscribe_last_error()).find("ringscribe_session_end") == 0);
}

TEST_CASE("after the session ended its handles record nothing and are still valid") {
  Fixture f;
  REQUIRE(ringscribe_session_end(f.session) == RINGSCRIBE_SUCCESS);
  CHECK(ringscribe_write_mark(f.stream, 1, nullptr) == 0);
  const ringscribe_string* string = nullptr;
  CHECK(ringscribe_domain_get_registered_string(f.domain, "late", &string) ==
        RINGSCRIBE_INVALID_ARGUMENT);
  CHECK(std::string(ringscribe_last_error()).find("has ended") != std::string::npos);
  CHECK(ringscribe_stream_close(f.stream) == RINGSCRIBE_SUCCESS);
}
