// SPDX-License-Identifier: Apache-2.0
#include "c_api_calls.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                       \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: not so: %s\n  last error: %s\n", __FILE__, __LINE__, #condition, \
              ringscribe_last_error());                                                        \
      ++failures;                                                                              \
    }                                                                                          \
  } while (0)
#define CHECK_OK(call) CHECK((call) == RINGSCRIBE_SUCCESS)

// The ABI: programs and bindings that were compiled with today's header go on working, so no member
// moves. A new member goes to the end and changes one size here.
#define SAME(name, condition) typedef char name[(condition) ? 1 : -1]
SAME(session_options_size, sizeof(ringscribe_session_options) == 48);
SAME(session_options_backend, offsetof(ringscribe_session_options, backend) == 16);
SAME(session_options_output, offsetof(ringscribe_session_options, output) == 24);
SAME(session_options_config, offsetof(ringscribe_session_options, config) == 32);
SAME(session_options_table, offsetof(ringscribe_session_options, interface_table) == 40);
SAME(counts_size, sizeof(ringscribe_counts) == 80);
SAME(counts_lost, offsetof(ringscribe_counts, lost) == 16);
SAME(counts_by_cause, offsetof(ringscribe_counts, lost_by_cause) == 24);
SAME(scope_options_size, sizeof(ringscribe_scope_options) == 24);
SAME(scope_options_static_id, offsetof(ringscribe_scope_options, static_id) == 16);
SAME(time_domain_options_size, sizeof(ringscribe_time_domain_options) == 56);
SAME(time_domain_options_scope, offsetof(ringscribe_time_domain_options, scope) == 16);
SAME(time_domain_options_steady, offsetof(ringscribe_time_domain_options, is_steady) == 28);
SAME(time_domain_options_rate, offsetof(ringscribe_time_domain_options, ticks_per_second) == 32);
SAME(time_domain_options_static_id, offsetof(ringscribe_time_domain_options, static_id) == 48);
SAME(limit_size, sizeof(ringscribe_limit) == 16);
SAME(limit_value, offsetof(ringscribe_limit, value) == 8);
SAME(semantics_size, sizeof(ringscribe_counter_semantics) == 88);
SAME(semantics_min, offsetof(ringscribe_counter_semantics, min) == 16);
SAME(semantics_max, offsetof(ringscribe_counter_semantics, max) == 32);
SAME(semantics_value_type, offsetof(ringscribe_counter_semantics, value_type) == 48);
SAME(semantics_normalize, offsetof(ringscribe_counter_semantics, normalize) == 80);
SAME(correlation_size, sizeof(ringscribe_correlation) == 40);
SAME(correlation_name, offsetof(ringscribe_correlation, display_name) == 24);
SAME(enum_value_size, sizeof(ringscribe_enum_value) == 24);
SAME(flexible_size, sizeof(ringscribe_flexible) == 16);
SAME(field_size, sizeof(ringscribe_field) == 120);
SAME(field_schema, offsetof(ringscribe_field, schema) == 24);
SAME(field_role, offsetof(ringscribe_field, role) == 40);
SAME(field_storage, offsetof(ringscribe_field, storage) == 52);
SAME(field_length, offsetof(ringscribe_field, length) == 56);
SAME(field_offset, offsetof(ringscribe_field, offset) == 64);
SAME(field_hide, offsetof(ringscribe_field, hide) == 80);
SAME(field_counter, offsetof(ringscribe_field, counter) == 88);
SAME(field_correlation, offsetof(ringscribe_field, correlation) == 112);
SAME(schema_options_size, sizeof(ringscribe_schema_options) == 56);
SAME(schema_options_type, offsetof(ringscribe_schema_options, type) == 12);
SAME(schema_options_row_bytes, offsetof(ringscribe_schema_options, row_bytes) == 16);
SAME(schema_options_static_id, offsetof(ringscribe_schema_options, static_id) == 48);
SAME(counter_options_size, sizeof(ringscribe_counter_options) == 48);
SAME(counter_options_semantics, offsetof(ringscribe_counter_options, semantics) == 16);
SAME(counter_options_static_id, offsetof(ringscribe_counter_options, static_id) == 40);
SAME(stream_options_size, sizeof(ringscribe_stream_options) == 56);
SAME(stream_options_scope, offsetof(ringscribe_stream_options, scope) == 16);
SAME(stream_options_ordering, offsetof(ringscribe_stream_options, ordering) == 36);
SAME(stream_options_skid_amount, offsetof(ringscribe_stream_options, skid_amount) == 48);
SAME(event_args_size, sizeof(ringscribe_event_args) == 48);
SAME(event_args_registered, offsetof(ringscribe_event_args, registered_string) == 24);
SAME(event_args_category, offsetof(ringscribe_event_args, category) == 36);
SAME(payload_size, sizeof(ringscribe_payload) == 32);
SAME(sample_times_size, sizeof(ringscribe_sample_times) == 48);
SAME(sample_times_anchor, offsetof(ringscribe_sample_times, anchor) == 32);
SAME(sync_point_size, sizeof(ringscribe_sync_point) == 16);
SAME(call_site_size, sizeof(ringscribe_call_site) == 40);
SAME(call_site_color, offsetof(ringscribe_call_site, color_argb) == 32);

static int failures = 0;

static ringscribe_field field(const char* name, uint64_t type, uint64_t role) {
  ringscribe_field result = RINGSCRIBE_FIELD_INIT;
  result.name = name;
  result.type = type;
  result.role = role;
  return result;
}

static ringscribe_field field_at(size_t offset, const char* name, uint64_t type, uint64_t role) {
  ringscribe_field result = field(name, type, role);
  result.offset = offset;
  return result;
}

static ringscribe_limit limit(int64_t value) {
  ringscribe_limit result;
  result.type = RINGSCRIBE_LIMIT_INT64;
  result.value.as_int64 = value;
  return result;
}

// --- Marks, ranges and their attributes.

static void write_simple_events(ringscribe_session* session, ringscribe_domain* domain) {
  const ringscribe_scope *gpu = NULL, *queue = NULL;
  CHECK_OK(ringscribe_domain_get_scope(domain, "gpu[0]", NULL, &gpu));
  ringscribe_scope_options below = RINGSCRIBE_SCOPE_OPTIONS_INIT;
  below.parent = gpu;
  CHECK_OK(ringscribe_domain_get_scope(domain, "queue", &below, &queue));
  CHECK(ringscribe_scope_id(queue) != 0 && ringscribe_scope_id(queue) != ringscribe_scope_id(gpu));
  const ringscribe_scope* again = NULL;
  CHECK_OK(ringscribe_domain_get_scope(domain, "queue", &below, &again));
  CHECK(again == queue);

  ringscribe_stream_options options = RINGSCRIBE_STREAM_OPTIONS_INIT;
  options.domain = domain;
  options.scope = queue;
  options.time_domain = ringscribe_predefined_time_domain(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC);
  options.interleaving = RINGSCRIBE_STREAM_INTERLEAVING_SCOPE;
  ringscribe_stream* stream = NULL;
  CHECK_OK(ringscribe_session_create_stream(session, "simple", &options, &stream));

  const ringscribe_string* registered = NULL;
  CHECK_OK(ringscribe_domain_get_registered_string(domain, "registered", &registered));
  uint32_t cold = 0;
  CHECK_OK(ringscribe_domain_get_category(domain, "cold", &cold));
  CHECK_OK(ringscribe_domain_name_category(domain, 7, "seven"));
  CHECK_OK(ringscribe_domain_register_resource(domain, RINGSCRIBE_RESOURCE_GENERIC_HANDLE, 42,
                                               "the answer"));

  ringscribe_event_args args = RINGSCRIBE_EVENT_ARGS_INIT;
  args.message = "mark, cut here";
  args.message_bytes = 4;
  args.color_argb = 0xFF102030;
  args.category = 7;
  CHECK(ringscribe_write_mark(stream, 100, &args));
  CHECK(ringscribe_write_mark(stream, 101, NULL));
  args.message_bytes = 0;
  args.message = "pushpop";
  args.category_name = "hot";
  CHECK(ringscribe_write_pushpop(stream, 200, 500, &args));
  args.category_name = NULL;
  args.category = cold;
  args.registered_string = registered;
  CHECK(ringscribe_write_startend(stream, 300, 700, &args));
  args.registered_string = NULL;
  args.message = "push";
  CHECK(ringscribe_write_push(stream, 800, &args));
  CHECK(ringscribe_write_pop(stream, 900));
  args.message = "start";
  const uint64_t range_id = ringscribe_write_start(stream, 1000, &args, 0);
  CHECK(range_id != 0);
  CHECK(ringscribe_write_end(stream, 1100, range_id));
  CHECK_OK(ringscribe_session_flush(session));
  CHECK_OK(ringscribe_stream_set_overflow(stream, RINGSCRIBE_OVERFLOW_BLOCK));
  CHECK(ringscribe_stream_set_overflow(stream, 3) == RINGSCRIBE_INVALID_ARGUMENT);
  // This one writes all that it is given.
  CHECK(ringscribe_session_snapshot(session, "snapshot.rsj", "because", 0) ==
        RINGSCRIBE_NOT_SUPPORTED);

  ringscribe_counts counts = RINGSCRIBE_COUNTS_INIT;
  CHECK_OK(ringscribe_stream_stats(stream, &counts));
  CHECK(counts.recorded == 8 && counts.lost == 0);
  CHECK_OK(ringscribe_stream_close(stream));
  CHECK(!ringscribe_write_mark(stream, 1, NULL));
  CHECK_OK(ringscribe_stream_stats(stream, &counts));
  CHECK(counts.lost_by_cause[RINGSCRIBE_LOSS_STREAM_CLOSED] == 1);
  // The name is free again, and so is the handle.
  ringscribe_stream_release(stream);
  CHECK_OK(ringscribe_session_create_stream(session, "simple", &options, &stream));
}

// --- Rows of schemas.

struct item {
  int64_t begin, end;
  ringscribe_flexible message;
  uint64_t registered, where;
  int32_t point[2];
  uint8_t side, padding[7];
};

static const ringscribe_schema* get_item_schema(ringscribe_domain* domain) {
  const ringscribe_enum_value sides[2] = {{"buy", 0, 0}, {"sell", 1, 0}};
  const ringscribe_enum* side = NULL;
  CHECK_OK(ringscribe_domain_get_enum(domain, "side", sides, 2, 1, 0, &side));

  ringscribe_field xy[2];
  xy[0] = field("x", RINGSCRIBE_TYPE_INT32, RINGSCRIBE_ROLE_FIELD);
  xy[1] = field("y", RINGSCRIBE_TYPE_INT32, RINGSCRIBE_ROLE_FIELD);
  const ringscribe_schema* point = NULL;
  CHECK_OK(ringscribe_domain_get_schema(domain, "point", xy, 2, NULL, &point));

  ringscribe_correlation same_order = RINGSCRIBE_CORRELATION_INIT;
  same_order.uuid[0] = 1;
  same_order.display_name = "order";
  ringscribe_field fields[7];
  fields[0] = field_at(offsetof(struct item, begin), "begin", RINGSCRIBE_TYPE_INT64,
                       RINGSCRIBE_ROLE_RANGE_BEGIN);
  fields[1] =
      field_at(offsetof(struct item, end), "end", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_RANGE_END);
  fields[2] = field_at(offsetof(struct item, message), "message", RINGSCRIBE_TYPE_UTF8,
                       RINGSCRIBE_ROLE_MESSAGE);
  fields[2].storage = RINGSCRIBE_STORAGE_FLEXIBLE;
  fields[3] = field_at(offsetof(struct item, registered), "registered",
                       RINGSCRIBE_TYPE_REGISTERED_STRING, RINGSCRIBE_ROLE_FIELD);
  fields[3].correlation = &same_order;
  fields[4] = field_at(offsetof(struct item, where), "where", RINGSCRIBE_TYPE_SCOPE_ID,
                       RINGSCRIBE_ROLE_FIELD);
  fields[5] = field_at(offsetof(struct item, point), "point", 0, RINGSCRIBE_ROLE_FIELD);
  fields[5].schema = point;
  fields[5].description = "where on the map";
  fields[6] = field_at(offsetof(struct item, side), "side", 0, RINGSCRIBE_ROLE_FIELD);
  fields[6].enumeration = side;
  ringscribe_schema_options options = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  options.kind = RINGSCRIBE_KIND_RANGE_START_END;
  options.row_bytes = sizeof(struct item);
  const ringscribe_schema* schema = NULL;
  CHECK_OK(ringscribe_domain_get_schema(domain, "item", fields, 7, &options, &schema));
  CHECK(ringscribe_schema_row_bytes(schema) == sizeof(struct item));
  return schema;
}

static struct item make_item(int64_t begin, const char* message, uint64_t registered,
                             uint64_t where) {
  struct item item;
  memset(&item, 0, sizeof item);
  item.begin = begin;
  item.end = begin + 50;
  item.message.count = strlen(message);
  item.message.data = message;
  item.registered = registered;
  item.where = where;
  item.point[0] = 3;
  item.point[1] = -4;
  item.side = 1;
  return item;
}

static void write_rows(ringscribe_session* session, ringscribe_domain* domain) {
  ringscribe_stream_options options = RINGSCRIBE_STREAM_OPTIONS_INIT;
  options.domain = domain;
  options.time_domain = ringscribe_predefined_time_domain(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC);
  ringscribe_stream* stream = NULL;
  CHECK_OK(ringscribe_session_create_stream(session, "rows", &options, &stream));
  const ringscribe_string* registered = NULL;
  CHECK_OK(ringscribe_domain_get_registered_string(domain, "registered", &registered));
  const ringscribe_scope* scope = NULL;
  CHECK_OK(ringscribe_domain_get_scope(domain, "shelf", NULL, &scope));
  const uint64_t bits = ringscribe_string_bits(registered), where = ringscribe_scope_id(scope);

  const ringscribe_schema* schema = get_item_schema(domain);
  const struct item first = make_item(2000, "first", bits, where);
  CHECK(ringscribe_write_event(stream, schema, &first, sizeof first));
  struct item batch[2];
  batch[0] = make_item(2100, "second", bits, where);
  batch[1] = make_item(2200, "third, longer", bits, where);
  CHECK(ringscribe_write_event_batch(stream, schema, batch, sizeof batch,
                                     RINGSCRIBE_BATCH_SORTED) == 2);

  // An event of two payloads: a time, and a text by its predefined type.
  ringscribe_field time = field("time", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_MARK);
  ringscribe_schema_options mark = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  mark.kind = RINGSCRIBE_KIND_MARK;
  const ringscribe_schema* marked = NULL;
  CHECK_OK(ringscribe_domain_get_schema(domain, "marked", &time, 1, &mark, &marked));
  const int64_t now = 2300;
  ringscribe_payload parts[2];
  memset(parts, 0, sizeof parts);
  parts[0].schema = marked;
  parts[0].data = &now;
  parts[0].size_bytes = sizeof now;
  parts[1].type = RINGSCRIBE_TYPE_INT32;
  parts[1].data = first.point;
  parts[1].size_bytes = sizeof first.point;
  CHECK(ringscribe_write_event_payloads(stream, parts, 2));
}

// --- Counters.

static void write_samples(ringscribe_session* session, ringscribe_domain* domain) {
  ringscribe_stream_options options = RINGSCRIBE_STREAM_OPTIONS_INIT;
  options.domain = domain;
  options.time_domain = ringscribe_predefined_time_domain(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC);
  ringscribe_stream* stream = NULL;
  CHECK_OK(ringscribe_session_create_stream(session, "samples", &options, &stream));

  ringscribe_counter_semantics orders = RINGSCRIBE_COUNTER_SEMANTICS_INIT;
  orders.unit = "orders";
  orders.min = limit(0);
  orders.max = limit(100);
  orders.value_type = RINGSCRIBE_COUNTER_VALUE_ABSOLUTE;
  orders.interpolation = RINGSCRIBE_COUNTER_INTERPOLATION_UNTIL_NEXT;
  ringscribe_counter_options depth_options = RINGSCRIBE_COUNTER_OPTIONS_INIT;
  depth_options.description = "orders that wait";
  depth_options.semantics = &orders;
  const ringscribe_counter *depth = NULL, *bytes = NULL, *load = NULL, *again = NULL;
  CHECK_OK(ringscribe_domain_get_counter(domain, "depth", RINGSCRIBE_TYPE_INT64, &depth_options,
                                         &depth));
  CHECK_OK(ringscribe_domain_get_counter(domain, "bytes", RINGSCRIBE_TYPE_UINT32, NULL, &bytes));
  CHECK_OK(ringscribe_domain_get_counter(domain, "load", RINGSCRIBE_TYPE_FLOAT64, NULL, &load));
  CHECK_OK(ringscribe_domain_get_counter(domain, "load", RINGSCRIBE_TYPE_FLOAT64, NULL, &again));
  CHECK(again == load && ringscribe_counter_sample_bytes(bytes) == 4);

  CHECK(ringscribe_write_counter_sample_int64(stream, depth, 10, -3));
  CHECK(ringscribe_write_counter_sample_uint64(stream, bytes, 11, 4096));
  CHECK(ringscribe_write_counter_sample_double(stream, load, 12, 0.5));
  const uint32_t more_bytes = 8192;
  CHECK(ringscribe_write_counter_sample(stream, bytes, 13, &more_bytes, sizeof more_bytes));
  CHECK(
      ringscribe_write_counter_sample_no_value(stream, depth, 14, RINGSCRIBE_NO_VALUE_UNAVAILABLE));
  const int64_t values[3] = {1, 2, 3}, when[3] = {20, 25, 30};
  ringscribe_sample_times times = RINGSCRIBE_SAMPLE_TIMES_INIT;
  times.form = RINGSCRIBE_TIMES_EACH;
  times.each = when;
  times.each_count = 3;
  CHECK(ringscribe_write_counter_batch(stream, depth, values, sizeof values, &times,
                                       RINGSCRIBE_BATCH_DETECT) == 3);
  times.form = RINGSCRIBE_TIMES_FROM;
  times.anchor = 40;
  times.interval = 10;
  CHECK(ringscribe_write_counter_batch(stream, depth, values, sizeof values, &times,
                                       RINGSCRIBE_BATCH_DETECT) == 3);
  times.form = RINGSCRIBE_TIMES_UNTIL;
  times.anchor = 90;
  CHECK(ringscribe_write_counter_batch(stream, depth, values, sizeof values, &times,
                                       RINGSCRIBE_BATCH_DETECT) == 3);

  // Groups: with the time beside the sample, and within it.
  ringscribe_field fields[3];
  fields[0] = field("used", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_COUNTER);
  fields[0].counter = &orders;
  fields[1] = field("free", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_COUNTER);
  fields[2] = field("time", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_TIMESTAMP);
  ringscribe_schema_options group = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  group.is_counter_group = 1;
  const ringscribe_schema *pair = NULL, *timed_pair = NULL;
  CHECK_OK(ringscribe_domain_get_schema(domain, "pair", fields, 2, &group, &pair));
  CHECK_OK(ringscribe_domain_get_schema(domain, "timed pair", fields, 3, &group, &timed_pair));
  const ringscribe_counter *memory = NULL, *timed = NULL;
  CHECK_OK(ringscribe_domain_get_counter_group(domain, "memory", pair, NULL, &memory));
  CHECK_OK(ringscribe_domain_get_counter_group(domain, "timed", timed_pair, NULL, &timed));
  CHECK(!ringscribe_counter_has_embedded_time(memory));
  CHECK(ringscribe_counter_has_embedded_time(timed));
  const int64_t sample[2] = {5, 6}, timed_samples[6] = {7, 8, 100, 9, 10, 110};
  CHECK(ringscribe_write_counter_sample(stream, memory, 95, sample, sizeof sample));
  CHECK(ringscribe_write_counter_batch(stream, timed, timed_samples, sizeof timed_samples, NULL,
                                       RINGSCRIBE_BATCH_SORTED) == 2);
  // One number is no sample of a group.
  CHECK(!ringscribe_write_counter_sample_int64(stream, memory, 96, 1));
}

// --- Time domains.

static void write_time(ringscribe_session* session, ringscribe_domain* domain) {
  ringscribe_time_domain_options options = RINGSCRIBE_TIME_DOMAIN_OPTIONS_INIT;
  options.ticks_per_second = 1000000;
  options.is_monotonic = 1;
  options.is_steady = 1;
  options.start = RINGSCRIBE_TIMER_START_SYSTEM_BOOT;
  const ringscribe_time_domain *card = NULL, *other = NULL;
  CHECK_OK(ringscribe_domain_get_time_domain(domain, &options, &card));
  options.static_id = 1 << 24;
  CHECK_OK(ringscribe_domain_get_time_domain(domain, &options, &other));
  const ringscribe_time_domain* cpu =
      ringscribe_predefined_time_domain(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC);
  ringscribe_stream_options of_card = RINGSCRIBE_STREAM_OPTIONS_INIT;
  of_card.domain = domain;
  of_card.time_domain = card;
  ringscribe_stream* stream = NULL;
  CHECK_OK(ringscribe_session_create_stream(session, "card", &of_card, &stream));
  CHECK(ringscribe_write_sync_point(stream, card, cpu, 0, 5000));
  const ringscribe_sync_point points[2] = {{1000, 1005000}, {2000, 2005000}};
  CHECK(ringscribe_write_sync_points(stream, card, cpu, points, 2));
  CHECK(ringscribe_write_conversion_factor(stream, other, cpu, 1000.0, 0, 5000));
  ringscribe_event_args args = RINGSCRIBE_EVENT_ARGS_INIT;
  args.message = "in ticks of the card";
  CHECK(ringscribe_write_mark(stream, 1500, &args));

  // A scope that the backend may know by a static ID of its own.
  const ringscribe_scope* known = NULL;
  CHECK_OK(ringscribe_domain_get_scope_by_static_id(domain, 1 << 25, &known));
  CHECK(ringscribe_scope_id(known) == 1 << 25);
  CHECK(ringscribe_scope_id(ringscribe_predefined_scope(RINGSCRIBE_SCOPE_CURRENT_VM)) ==
        RINGSCRIBE_SCOPE_CURRENT_VM);
}

// --- Live.

static void record_live(ringscribe_session* session) {
  ringscribe_stream* book = NULL;
  CHECK_OK(ringscribe_session_live_stream(session, "order book", NULL, &book));
  ringscribe_domain* domain = NULL;
  CHECK_OK(ringscribe_session_get_domain(session, NULL, &domain));
  const ringscribe_scope* fiber = NULL;
  CHECK_OK(ringscribe_domain_get_scope(domain, "fiber 1", NULL, &fiber));
  ringscribe_stream* of_fiber = NULL;
  CHECK_OK(ringscribe_session_live_stream_in_scope(session, "fiber", NULL, fiber, &of_fiber));
  CHECK_OK(ringscribe_stream_close(of_fiber));
  const ringscribe_counter *depth = NULL, *size = NULL, *load = NULL, *both = NULL;
  CHECK_OK(
      ringscribe_domain_get_counter(domain, "live depth", RINGSCRIBE_TYPE_INT64, NULL, &depth));
  CHECK_OK(ringscribe_domain_get_counter(domain, "live size", RINGSCRIBE_TYPE_UINT64, NULL, &size));
  CHECK_OK(
      ringscribe_domain_get_counter(domain, "live load", RINGSCRIBE_TYPE_FLOAT32, NULL, &load));
  ringscribe_field fields[2];
  fields[0] = field("a", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_COUNTER);
  fields[1] = field("b", RINGSCRIBE_TYPE_INT64, RINGSCRIBE_ROLE_COUNTER);
  ringscribe_schema_options group = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  group.is_counter_group = 1;
  const ringscribe_schema* pair = NULL;
  CHECK_OK(ringscribe_domain_get_schema(domain, "live pair", fields, 2, &group, &pair));
  CHECK_OK(ringscribe_domain_get_counter_group(domain, "live both", pair, NULL, &both));

  static ringscribe_call_site match = RINGSCRIBE_CALL_SITE_INIT("match", 0xFF008000, "hot");
  static ringscribe_call_site rejected = RINGSCRIBE_CALL_SITE_INIT("rejected", 0, NULL);
  ringscribe_prepare_thread("c thread");
  CHECK(match.id == 0);
  const int64_t begin = ringscribe_range_begin(book);
  CHECK(begin != 0 && ringscribe_now() >= begin);
  CHECK(ringscribe_mark_site(book, &rejected));
  CHECK(ringscribe_range_end(book, &match, begin));
  CHECK(match.id != 0 && rejected.id != 0 && match.id != rejected.id);
  ringscribe_event_args args = RINGSCRIBE_EVENT_ARGS_INIT;
  args.message = "outer";
  CHECK(ringscribe_push(book, &args));
  args.message = "inner";
  CHECK(ringscribe_mark(book, &args));
  CHECK(ringscribe_pop(book));
  CHECK(ringscribe_sample_int64(book, depth, 17));
  CHECK(ringscribe_sample_uint64(book, size, 18));
  CHECK(ringscribe_sample_double(book, load, 0.25));
  const int64_t values[2] = {19, 20};
  CHECK(ringscribe_sample(book, both, values, sizeof values));
  CHECK(ringscribe_sample_no_value(book, depth, RINGSCRIBE_NO_VALUE_ZERO));
  ringscribe_counts counts = RINGSCRIBE_COUNTS_INIT;
  CHECK_OK(ringscribe_session_flush(session));
  CHECK_OK(ringscribe_stream_stats(book, &counts));
  CHECK(counts.recorded == 10 && counts.lost == 0);
}

int c_api_calls_record(const char* output) {
  failures = 0;
  CHECK(ringscribe_c_api_version() == RINGSCRIBE_C_API_VERSION);
  CHECK(strcmp(ringscribe_result_name(RINGSCRIBE_SUCCESS), "success") == 0);
  CHECK(strcmp(ringscribe_loss_cause_name(RINGSCRIBE_LOSS_NESTED), "nested") == 0);
  ringscribe_session_options options = RINGSCRIBE_SESSION_OPTIONS_INIT;
  options.backend_name = "journal";
  options.output = output;
  options.config = "journal_flush=batch";
  ringscribe_session* session = NULL;
  CHECK_OK(ringscribe_session_begin("from C", &options, &session));
  if (session == NULL) return failures;
  CHECK(ringscribe_session_is_recording(session));
  CHECK(strcmp(ringscribe_session_output(session), output) == 0);
  ringscribe_domain *domain = NULL, *again = NULL;
  CHECK_OK(ringscribe_session_get_domain(session, "C domain", &domain));
  CHECK_OK(ringscribe_session_get_domain(session, "C domain", &again));
  CHECK(domain == again);

  write_simple_events(session, domain);
  write_rows(session, domain);
  write_samples(session, domain);
  write_time(session, domain);
  record_live(session);

  CHECK_OK(ringscribe_session_end(session));
  CHECK_OK(ringscribe_session_end(session));
  CHECK(!ringscribe_session_is_recording(session));
  ringscribe_counts counts = RINGSCRIBE_COUNTS_INIT;
  CHECK_OK(ringscribe_session_stats(session, &counts));
  // One mark on a closed stream, one number for a group.
  CHECK(counts.lost == 2 && counts.lost_by_cause[RINGSCRIBE_LOSS_INVALID] == 1);
  ringscribe_session_release(session);
  return failures;
}

int c_api_calls_load(const char* library, const char* output) {
  failures = 0;
  ringscribe_backend* backend = NULL;
  CHECK_OK(ringscribe_backend_load(library, &backend));
  if (backend == NULL) return failures;
  CHECK(ringscribe_backend_is_open(backend));
  CHECK(strstr(ringscribe_backend_path(backend), "libringscribe_backend.so") != NULL);
  ringscribe_session_options options = RINGSCRIBE_SESSION_OPTIONS_INIT;
  options.backend = backend;
  options.output = output;
  options.config = "format=journal";
  ringscribe_session* session = NULL;
  CHECK_OK(ringscribe_session_begin("loaded", &options, &session));
  ringscribe_stream* stream = NULL;
  CHECK_OK(ringscribe_session_create_stream(session, "s", NULL, &stream));
  CHECK(ringscribe_write_mark(stream, 1, NULL));
  // Closing ends the session.
  CHECK_OK(ringscribe_backend_close(backend));
  CHECK_OK(ringscribe_backend_close(backend));
  CHECK(!ringscribe_backend_is_open(backend) && !ringscribe_session_is_recording(session));
  ringscribe_session_release(session);
  ringscribe_backend_release(backend);
  return failures;
}
