// SPDX-License-Identifier: Apache-2.0
//
// The tracepoints that LTTng-UST is asked with. Its own macros read this file several times.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ringscribe_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "bench/peers/lttng_ust_provider.h"

#if !defined(RINGSCRIBE_BENCH_PEERS_LTTNG_UST_PROVIDER_H_) || \
    defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define RINGSCRIBE_BENCH_PEERS_LTTNG_UST_PROVIDER_H_

#include <lttng/tracepoint.h>

#include <cstdint>

LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, mark, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())
LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, range_begin, LTTNG_UST_TP_ARGS(),
                           LTTNG_UST_TP_FIELDS())
LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, range_end, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())
LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, counter, LTTNG_UST_TP_ARGS(int64_t, value),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int64_t, value, value)))
LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, message,
                           LTTNG_UST_TP_ARGS(const char*, text, size_t, bytes),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_sequence_text(char, text, text,
                                                                             size_t, bytes)))
// Its own time, which is always there, is the fifth field.
LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, event40,
                           LTTNG_UST_TP_ARGS(int64_t, a, int64_t, b, int64_t, c, double, d),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int64_t, a, a)
                                                   lttng_ust_field_integer(int64_t, b, b)
                                                       lttng_ust_field_integer(int64_t, c, c)
                                                           lttng_ust_field_float(double, d, d)))
// The session does not enable it.
LTTNG_UST_TRACEPOINT_EVENT(ringscribe_bench, off, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())

#endif

#include <lttng/tracepoint-event.h>
