// SPDX-License-Identifier: Apache-2.0
//
// quickstart [OUTPUT]: Ringscribe from C99. A live range with a mark and a counter in it, and a few
// orders that were collected before. OUTPUT: orders.pftrace for ui.perfetto.dev, or a name that
// ends in .rsj for a journal.
//
// Without Bazel, against an installed Ringscribe:
//   cc quickstart.c $(pkg-config --cflags --libs ringscribe) -o quickstart
#include <ringscribe/ringscribe_c.h>
#include <stdio.h>

struct order {
  int64_t received, answered;
  char symbol[8];
  double price;
};

static int complain(const char* what) {
  fprintf(stderr, "quickstart: %s: %s\n", what, ringscribe_last_error());
  return 1;
}

static ringscribe_field make_field(const char* name, uint64_t type, size_t offset, uint64_t role) {
  ringscribe_field field = RINGSCRIBE_FIELD_INIT;
  field.name = name;
  field.type = type;
  field.offset = offset;
  field.role = role;
  return field;
}

// A live stream: each call takes the time itself.
static int record_live(ringscribe_session* session, ringscribe_domain* domain) {
  ringscribe_stream* book = NULL;
  if (ringscribe_session_live_stream(session, "order book", domain, &book) != RINGSCRIBE_SUCCESS)
    return complain("cannot open the live stream");
  const ringscribe_counter* depth = NULL;
  if (ringscribe_domain_get_counter(domain, "depth", RINGSCRIBE_TYPE_INT64, NULL, &depth) !=
      RINGSCRIBE_SUCCESS)
    return complain("cannot get the counter");

  static ringscribe_call_site match = RINGSCRIBE_CALL_SITE_INIT("match", 0xFF008000, "hot");
  static ringscribe_call_site rejected = RINGSCRIBE_CALL_SITE_INIT("rejected", 0, NULL);
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t begin = ringscribe_range_begin(book);
    ringscribe_sample_int64(book, depth, i);
    if (i == 1) ringscribe_mark_site(book, &rejected);
    ringscribe_range_end(book, &match, begin);
  }
  return 0;
}

// A stream of events whose times are known already, laid out as a struct of the program's.
static int write_orders(ringscribe_session* session, ringscribe_domain* domain) {
  ringscribe_field fields[4];
  fields[0] = make_field("received", RINGSCRIBE_TYPE_INT64, offsetof(struct order, received),
                         RINGSCRIBE_ROLE_RANGE_BEGIN);
  fields[1] = make_field("answered", RINGSCRIBE_TYPE_INT64, offsetof(struct order, answered),
                         RINGSCRIBE_ROLE_RANGE_END);
  fields[2] = make_field("symbol", RINGSCRIBE_TYPE_UTF8, offsetof(struct order, symbol),
                         RINGSCRIBE_ROLE_MESSAGE);
  fields[2].array = RINGSCRIBE_ARRAY_FIXED;
  fields[2].length = sizeof(((struct order*)0)->symbol);
  fields[3] = make_field("price", RINGSCRIBE_TYPE_FLOAT64, offsetof(struct order, price),
                         RINGSCRIBE_ROLE_FIELD);
  ringscribe_schema_options layout = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  layout.kind = RINGSCRIBE_KIND_RANGE_START_END;
  layout.row_bytes = sizeof(struct order);
  const ringscribe_schema* schema = NULL;
  if (ringscribe_domain_get_schema(domain, "order", fields, 4, &layout, &schema) !=
      RINGSCRIBE_SUCCESS)
    return complain("cannot describe an order");

  ringscribe_stream_options options = RINGSCRIBE_STREAM_OPTIONS_INIT;
  options.domain = domain;
  options.time_domain = ringscribe_predefined_time_domain(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC);
  ringscribe_stream* stream = NULL;
  if (ringscribe_session_create_stream(session, "orders", &options, &stream) != RINGSCRIBE_SUCCESS)
    return complain("cannot open the stream");
  const struct order orders[2] = {{1000, 1500, "ABC", 1.25}, {1200, 1900, "XYZ", 2.5}};
  ringscribe_write_event_batch(stream, schema, orders, sizeof orders, RINGSCRIBE_BATCH_DETECT);
  return 0;
}

int main(int argc, char** argv) {
  ringscribe_session_options options = RINGSCRIBE_SESSION_OPTIONS_INIT;
  options.output = argc > 1 ? argv[1] : "orders.pftrace";
  ringscribe_session* session = NULL;
  if (ringscribe_session_begin("matching engine", &options, &session) != RINGSCRIBE_SUCCESS)
    return complain("cannot begin");
  ringscribe_domain* domain = NULL;
  int failed = ringscribe_session_get_domain(session, "engine", &domain) != RINGSCRIBE_SUCCESS
                   ? complain("cannot get the domain")
                   : 0;
  failed = failed || record_live(session, domain) || write_orders(session, domain);
  if (ringscribe_session_end(session) != RINGSCRIBE_SUCCESS) failed = complain("cannot end");
  ringscribe_session_release(session);
  return failed;
}
