// SPDX-License-Identifier: Apache-2.0
//
// Ringscribe's C API, for C99 and for other languages' foreign function interfaces. It can do what
// the C++ API can; <ringscribe/session.h>, <ringscribe/domain.h> and <ringscribe/stream.h> say more
// about each concept.
//
//   ringscribe_session* session = NULL;
//   if (ringscribe_session_begin("engine", NULL, &session) != RINGSCRIBE_SUCCESS)
//     return fprintf(stderr, "%s\n", ringscribe_last_error()), 1;
//   ringscribe_stream* book = NULL;
//   ringscribe_session_live_stream(session, "order book", NULL, &book);
//   static ringscribe_call_site match = RINGSCRIBE_CALL_SITE_INIT("match", 0x008000, "hot");
//   int64_t begin = ringscribe_range_begin(book);
//   …
//   ringscribe_range_end(book, &match, begin);
//   ringscribe_session_end(session);
//   ringscribe_session_release(session);
//
// Two kinds of calls. Set-up calls return a ringscribe_result; if that is not RINGSCRIBE_SUCCESS,
// ringscribe_last_error() has a sentence, and what the call should have given out is NULL. Writes
// (from ringscribe_write_mark on) return whether something was recorded: 1 yes, 0 no, or a count;
// what was not is counted (ringscribe_session_stats). Programs are not meant to act on it.
//
// NULL as a handle is an error of a set-up call and records nothing in a write, which counts it as
// invalid where the stream is not NULL. No call crashes on it, none throws. Out of memory ends the
// process.
//
// Texts: UTF-8 up to a zero; NULL means none. They, and all that a call is given by pointer, are
// read during the call only and may be freed after it. Bytes that are no UTF-8 come out as U+FFFD.
//
// Times: int64_t, in the stream's time domain; Ringscribe does not convert them.
//
// Threads: any thread may call any function with any handle, but for the release functions: no
// other call may use the handle (or what it owns) at that time or later.
//
// Lifetime: a session owns its domains and streams, a domain what it gave out; all of it may be
// used after the session ended (and records nothing then), until ringscribe_session_release().
// Asking for the same thing again gives the same handle.
//
// Versions: option structs begin with struct_size, which RINGSCRIBE_…_INIT sets. A smaller size
// than this library's is that of an older header: what it lacks has its default. A larger size is
// that of a newer one: its unknown members must be zero, else the call is an error. Where a pointer
// to options may be NULL, that means all defaults.
#ifndef RINGSCRIBE_API_RINGSCRIBE_C_H_
#define RINGSCRIBE_API_RINGSCRIBE_C_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RINGSCRIBE_C_API __attribute__((visibility("default")))

// Rises when functions or members are added; nothing that is there changes its meaning.
#define RINGSCRIBE_C_API_VERSION 1

// --- Errors.

// NVTXW's numbers.
typedef int32_t ringscribe_result;
enum {
  RINGSCRIBE_SUCCESS = 0,
  RINGSCRIBE_FAILED = 1,
  RINGSCRIBE_INVALID_ARGUMENT = 2,
  RINGSCRIBE_LIBRARY_NOT_FOUND = 3,
  RINGSCRIBE_LIBRARY_LOAD_FAILED = 4,
  RINGSCRIBE_LIBRARY_SYMBOL_MISSING = 5,
  RINGSCRIBE_INTERFACE_VERSION_NOT_SUPPORTED = 6,
  RINGSCRIBE_NOT_SUPPORTED = 7
};

// RINGSCRIBE_C_API_VERSION of the library.
RINGSCRIBE_C_API uint32_t ringscribe_c_api_version(void);
// What failed last on the calling thread, on which value, and what to do about it: one sentence. ""
// if nothing has. Never NULL; valid until the thread's next failure or end. A success leaves it.
RINGSCRIBE_C_API const char* ringscribe_last_error(void);
// The code in words, such as "invalid argument". Never NULL; valid for ever.
RINGSCRIBE_C_API const char* ringscribe_result_name(ringscribe_result result);

// --- Handles. All are opaque.

typedef struct ringscribe_backend ringscribe_backend;          // a loaded library
typedef struct ringscribe_session ringscribe_session;          // one output
typedef struct ringscribe_domain ringscribe_domain;            // a name space of a session
typedef struct ringscribe_string ringscribe_string;            // a registered message
typedef struct ringscribe_scope ringscribe_scope;              // where something happened
typedef struct ringscribe_time_domain ringscribe_time_domain;  // a clock
typedef struct ringscribe_counter ringscribe_counter;          // a counter or a counter group
typedef struct ringscribe_enum ringscribe_enum;                // names of values
typedef struct ringscribe_schema ringscribe_schema;            // a layout of events
typedef struct ringscribe_stream ringscribe_stream;            // what is written to

// --- Backends, for programs that load one themselves; most name one in ringscribe_session_options.

// Loads the NVTXW library at `path`; NVTXW3_LIBRARY in the environment, if not empty, goes before
// it. Release the handle with ringscribe_backend_release(). Errors: RINGSCRIBE_LIBRARY_NOT_FOUND,
// _LOAD_FAILED, _SYMBOL_MISSING, RINGSCRIBE_INTERFACE_VERSION_NOT_SUPPORTED, RINGSCRIBE_FAILED.
RINGSCRIBE_C_API ringscribe_result ringscribe_backend_load(const char* path,
                                                           ringscribe_backend** backend_out);
// Ends the sessions that were begun with it and are still open, and finalizes the library. May be
// called again. Returns the first failure of a session.
RINGSCRIBE_C_API ringscribe_result ringscribe_backend_close(ringscribe_backend* backend);
// 1 until it is closed; 0 then, and for NULL.
RINGSCRIBE_C_API int ringscribe_backend_is_open(const ringscribe_backend* backend);
// The file that was loaded; "" for NULL. Valid until the handle is released.
RINGSCRIBE_C_API const char* ringscribe_backend_path(const ringscribe_backend* backend);
// Frees the handle; the library stays loaded, and sessions go on. NULL is allowed.
RINGSCRIBE_C_API void ringscribe_backend_release(ringscribe_backend* backend);

// --- Sessions.

typedef struct ringscribe_session_options {
  size_t struct_size;
  // "perfetto", "journal", "chrome", "ctf", "sqlite", "null" or the path of an NVTXW library. The
  // environment's NVTXW3_LIBRARY and RINGSCRIBE_BACKEND go before it. NULL: by the extension of
  // `output`, else perfetto.
  const char* backend_name;
  // Goes before `backend_name` and the environment, if not NULL.
  const ringscribe_backend* backend;
  // Path of the output; %p process id, %h host name, %t start time. NULL: the session's name and
  // the format's extension. RINGSCRIBE_OUTPUT goes before it.
  const char* output;
  // More "key=value" for the backend, separated by '|' or line breaks.
  const char* config;
  // A const nvtxwInterface_v2_t* that the program has already: used instead of any backend. It has
  // to outlive the session.
  const void* interface_table;
} ringscribe_session_options;
#define RINGSCRIBE_SESSION_OPTIONS_INIT \
  {sizeof(ringscribe_session_options), NULL, NULL, NULL, NULL, NULL}

// Opens the output. `options` may be NULL. Errors: those of loading a backend, and its own, for
// instance because the output's folder does not exist.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_begin(
    const char* name, const ringscribe_session_options* options, ringscribe_session** session_out);
// Waits until all that any thread wrote has reached the backend, closes the streams and finishes
// the output. May be called again. Returns the first failure since the last flush; what was lost,
// if anything, is also said on stderr.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_end(ringscribe_session* session);
// Waits until all that any thread wrote has reached the backend. Returns the first failure since
// the last flush; recording goes on.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_flush(ringscribe_session* session);
// Of a flight recorder (RINGSCRIBE_OVERFLOW=overwrite): writes the latest events of all threads to
// `path` (NULL: the output's path with "-snapshot" in it), whose extension says the format. With
// `after_ns` it returns at once, and the file reaches so much further. `reason` stands in the file,
// and may be NULL. RINGSCRIBE_NOT_SUPPORTED if the session is no flight recorder.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_snapshot(ringscribe_session* session,
                                                               const char* path, const char* reason,
                                                               uint64_t after_ns);
// Ends the session if it is open (a failure goes to stderr), and frees it with all its domains,
// streams and definitions. NULL is allowed.
RINGSCRIBE_C_API void ringscribe_session_release(ringscribe_session* session);
// 1 while events are recorded; 0 with RINGSCRIBE_ENABLED=0, after the end, and for NULL.
RINGSCRIBE_C_API int ringscribe_session_is_recording(const ringscribe_session* session);
// The path that the backend was asked for; "" if it chose one itself, and for NULL. Valid until the
// handle is released.
RINGSCRIBE_C_API const char* ringscribe_session_output(const ringscribe_session* session);

// Why a call that was written is not in the output.
enum {
  RINGSCRIBE_LOSS_RING_FULL = 0,
  RINGSCRIBE_LOSS_TOO_LARGE = 1,
  RINGSCRIBE_LOSS_MEMORY_LIMIT = 2,
  RINGSCRIBE_LOSS_STREAM_CLOSED = 3,
  RINGSCRIBE_LOSS_NESTED = 4,
  RINGSCRIBE_LOSS_REJECTED = 5,  // by the backend; the next flush has its sentence
  RINGSCRIBE_LOSS_INVALID = 6,   // a handle of another domain or NULL, a row of the wrong size, …
  RINGSCRIBE_LOSS_CAUSES = 7
};
// "ring full" and so on; "unknown" for other numbers. Valid for ever.
RINGSCRIBE_C_API const char* ringscribe_loss_cause_name(uint32_t cause);

// recorded + lost = written. `recorded` may be one step of the flusher old.
typedef struct ringscribe_counts {
  size_t struct_size;
  uint64_t recorded;
  uint64_t lost;  // the sum of what follows
  uint64_t lost_by_cause[RINGSCRIBE_LOSS_CAUSES];
} ringscribe_counts;
#define RINGSCRIBE_COUNTS_INIT {sizeof(ringscribe_counts), 0, 0, {0, 0, 0, 0, 0, 0, 0}}

// Fills as much of `counts` as its struct_size says, and the rest with zeros.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_stats(const ringscribe_session* session,
                                                            ringscribe_counts* counts);

// --- Domains, and what events refer to. Nothing here waits for the backend: what it refuses is
// reported by the session's next flush or end.

// NULL or "": the default domain.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_get_domain(ringscribe_session* session,
                                                                 const char* name,
                                                                 ringscribe_domain** domain_out);

// A message that events of the domain use by number: cheaper than text where it repeats.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_registered_string(
    ringscribe_domain* domain, const char* text, const ringscribe_string** string_out);
// What a field of the type RINGSCRIBE_TYPE_REGISTERED_STRING has in a row; 0, no message, for NULL.
RINGSCRIBE_C_API uint64_t ringscribe_string_bits(const ringscribe_string* string);
// The number of a category, by its name.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_category(ringscribe_domain* domain,
                                                                  const char* name,
                                                                  uint32_t* category_out);
// Names a category whose number, not 0, the program has chosen.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_name_category(ringscribe_domain* domain,
                                                                   uint32_t category,
                                                                   const char* name);

enum {
  RINGSCRIBE_SCOPE_NONE = 0,
  RINGSCRIBE_SCOPE_ROOT = 1,
  // Resolved by the tool. As parents NVTXW takes HW_MACHINE and VM; for streams and counters none.
  RINGSCRIBE_SCOPE_CURRENT_HW_MACHINE = 2,
  RINGSCRIBE_SCOPE_CURRENT_HW_SOCKET = 3,
  RINGSCRIBE_SCOPE_CURRENT_HW_CPU_PHYSICAL = 4,
  RINGSCRIBE_SCOPE_CURRENT_HW_CPU_LOGICAL = 5,
  RINGSCRIBE_SCOPE_CURRENT_HW_INNERMOST = 15,
  RINGSCRIBE_SCOPE_CURRENT_HYPERVISOR = 16,
  RINGSCRIBE_SCOPE_CURRENT_VM = 17,
  RINGSCRIBE_SCOPE_CURRENT_KERNEL = 18,
  RINGSCRIBE_SCOPE_CURRENT_CONTAINER = 19,
  RINGSCRIBE_SCOPE_CURRENT_OS = 20,
  RINGSCRIBE_SCOPE_CURRENT_SW_PROCESS = 21,
  RINGSCRIBE_SCOPE_CURRENT_SW_THREAD = 22,
  RINGSCRIBE_SCOPE_CURRENT_SW_INNERMOST = 31
};

typedef struct ringscribe_scope_options {
  size_t struct_size;
  const ringscribe_scope* parent;  // NULL: the root
  uint64_t static_id;              // in [2^24, 2^31); 0: one of the library's
} ringscribe_scope_options;
#define RINGSCRIBE_SCOPE_OPTIONS_INIT {sizeof(ringscribe_scope_options), NULL, 0}

// `path` below the parent, nodes separated by '/'; "name[key]" makes siblings, a backslash escapes
// '/', '[' and ']'. `options` may be NULL.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_scope(
    ringscribe_domain* domain, const char* path, const ringscribe_scope_options* options,
    const ringscribe_scope** scope_out);
// A scope that the backend knows already by a static ID, in [2^24, 2^32).
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_scope_by_static_id(
    ringscribe_domain* domain, uint64_t static_id, const ringscribe_scope** scope_out);
// One of RINGSCRIBE_SCOPE_*, for every domain; NULL, with a sentence, for other numbers. Valid for
// ever.
RINGSCRIBE_C_API const ringscribe_scope* ringscribe_predefined_scope(uint64_t scope);
// What a field of the type RINGSCRIBE_TYPE_SCOPE_ID has in a row; 0 for NULL.
RINGSCRIBE_C_API uint64_t ringscribe_scope_id(const ringscribe_scope* scope);

enum {
  RINGSCRIBE_RESOURCE_GENERIC_POINTER = 0x10001,
  RINGSCRIBE_RESOURCE_GENERIC_HANDLE = 0x10002,
  RINGSCRIBE_RESOURCE_GENERIC_THREAD_NATIVE = 0x10003,
  RINGSCRIBE_RESOURCE_GENERIC_THREAD_POSIX = 0x10004
};
// Names a thread, an address, a handle.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_register_resource(ringscribe_domain* domain,
                                                                       int32_t type,
                                                                       uint64_t identifier,
                                                                       const char* name);

// --- Time domains.

enum {
  RINGSCRIBE_TIMESTAMP_NONE = 0,  // not known; two sync points tell what it is
  RINGSCRIBE_TIMESTAMP_TOOL_PROVIDED = 1,
  RINGSCRIBE_TIMESTAMP_CPU_TSC = 10,
  RINGSCRIBE_TIMESTAMP_CPU_TSC_NONVIRTUALIZED = 11,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_REALTIME = 12,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_REALTIME_COARSE = 13,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC = 14,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC_RAW = 15,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC_COARSE = 16,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_BOOTTIME = 17,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_PROCESS_CPUTIME = 18,
  RINGSCRIBE_TIMESTAMP_CPU_CLOCK_THREAD_CPUTIME = 19,
  RINGSCRIBE_TIMESTAMP_WIN_QPC = 30,
  RINGSCRIBE_TIMESTAMP_WIN_GSTAFT = 31,
  RINGSCRIBE_TIMESTAMP_WIN_GSTAFTP = 32,
  RINGSCRIBE_TIMESTAMP_C_TIME = 40,
  RINGSCRIBE_TIMESTAMP_C_CLOCK = 41,
  RINGSCRIBE_TIMESTAMP_C_TIMESPEC_GET = 42,
  RINGSCRIBE_TIMESTAMP_CPP_STEADY_CLOCK = 50,
  RINGSCRIBE_TIMESTAMP_CPP_HIGH_RESOLUTION_CLOCK = 51,
  RINGSCRIBE_TIMESTAMP_CPP_SYSTEM_CLOCK = 52,
  RINGSCRIBE_TIMESTAMP_CPP_UTC_CLOCK = 53,
  RINGSCRIBE_TIMESTAMP_CPP_TAI_CLOCK = 54,
  RINGSCRIBE_TIMESTAMP_CPP_GPS_CLOCK = 55,
  RINGSCRIBE_TIMESTAMP_CPP_FILE_CLOCK = 56,
  RINGSCRIBE_TIMESTAMP_GPU_GLOBALTIMER = 80
};
// What a clock's value 0 means.
enum {
  RINGSCRIBE_TIMER_START_UNKNOWN = 0,
  RINGSCRIBE_TIMER_START_SYSTEM_BOOT = 1,
  RINGSCRIBE_TIMER_START_VM_BOOT = 2,
  RINGSCRIBE_TIMER_START_UNIX_EPOCH = 3,
  RINGSCRIBE_TIMER_START_WIN_FILETIME = 4
};

typedef struct ringscribe_time_domain_options {
  size_t struct_size;
  uint64_t type;                  // RINGSCRIBE_TIMESTAMP_*: what kind of clock it is
  const ringscribe_scope* scope;  // where the clock is; NULL: nothing is said
  int32_t is_monotonic;           // not 0: never goes back
  int32_t is_steady;              // not 0: ticks at a constant rate
  int64_t ticks_per_second;       // 0: not known
  uint64_t start;                 // RINGSCRIBE_TIMER_START_*
  uint64_t static_id;             // in [2^24, 2^31); 0: one of the library's
} ringscribe_time_domain_options;
#define RINGSCRIBE_TIME_DOMAIN_OPTIONS_INIT \
  {sizeof(ringscribe_time_domain_options), 0, NULL, 0, 0, 0, 0, 0}

// A clock that timestamps of this domain are of. `options` may not be NULL: it is the clock.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_time_domain(
    ringscribe_domain* domain, const ringscribe_time_domain_options* options,
    const ringscribe_time_domain** time_domain_out);
// One of RINGSCRIBE_TIMESTAMP_*, for every domain; NULL, with a sentence, for other numbers. Valid
// for ever.
RINGSCRIBE_C_API const ringscribe_time_domain* ringscribe_predefined_time_domain(uint64_t type);

// --- Types of fields and counters.

enum {
  // C's types, as wide as on this machine.
  RINGSCRIBE_TYPE_CHAR = 1,
  RINGSCRIBE_TYPE_UCHAR = 2,
  RINGSCRIBE_TYPE_SHORT = 3,
  RINGSCRIBE_TYPE_USHORT = 4,
  RINGSCRIBE_TYPE_INT = 5,
  RINGSCRIBE_TYPE_UINT = 6,
  RINGSCRIBE_TYPE_LONG = 7,
  RINGSCRIBE_TYPE_ULONG = 8,
  RINGSCRIBE_TYPE_LONGLONG = 9,
  RINGSCRIBE_TYPE_ULONGLONG = 10,
  RINGSCRIBE_TYPE_INT8 = 11,
  RINGSCRIBE_TYPE_UINT8 = 12,
  RINGSCRIBE_TYPE_INT16 = 13,
  RINGSCRIBE_TYPE_UINT16 = 14,
  RINGSCRIBE_TYPE_INT32 = 15,
  RINGSCRIBE_TYPE_UINT32 = 16,
  RINGSCRIBE_TYPE_INT64 = 17,
  RINGSCRIBE_TYPE_UINT64 = 18,
  RINGSCRIBE_TYPE_FLOAT = 19,
  RINGSCRIBE_TYPE_DOUBLE = 20,
  RINGSCRIBE_TYPE_LONG_DOUBLE = 21,
  RINGSCRIBE_TYPE_SIZE = 22,
  RINGSCRIBE_TYPE_ADDRESS = 23,
  RINGSCRIBE_TYPE_WCHAR = 24,
  RINGSCRIBE_TYPE_CHAR8 = 25,
  RINGSCRIBE_TYPE_CHAR16 = 26,
  RINGSCRIBE_TYPE_CHAR32 = 27,
  RINGSCRIBE_TYPE_BYTE = 32,
  RINGSCRIBE_TYPE_INT128 = 33,
  RINGSCRIBE_TYPE_UINT128 = 34,
  RINGSCRIBE_TYPE_FLOAT16 = 42,
  RINGSCRIBE_TYPE_FLOAT32 = 43,
  RINGSCRIBE_TYPE_FLOAT64 = 44,
  RINGSCRIBE_TYPE_FLOAT128 = 45,
  RINGSCRIBE_TYPE_BFLOAT16 = 50,
  RINGSCRIBE_TYPE_TF32 = 52,
  // Attributes of the event.
  RINGSCRIBE_TYPE_RANGE_ID = 67,
  RINGSCRIBE_TYPE_CATEGORY = 68,
  RINGSCRIBE_TYPE_COLOR_ARGB = 69,
  RINGSCRIBE_TYPE_SCOPE_ID = 70,
  RINGSCRIBE_TYPE_PID32 = 71,
  RINGSCRIBE_TYPE_PID64 = 72,
  RINGSCRIBE_TYPE_TID32 = 73,
  RINGSCRIBE_TYPE_TID64 = 74,
  // Text; lengths count code units.
  RINGSCRIBE_TYPE_STRING = 75,  // in the locale's encoding
  RINGSCRIBE_TYPE_UTF8 = 76,
  RINGSCRIBE_TYPE_UTF16 = 77,
  RINGSCRIBE_TYPE_UTF32 = 78,
  RINGSCRIBE_TYPE_REGISTERED_STRING = 80,  // ringscribe_string_bits()
  RINGSCRIBE_TYPE_UNION_SELECTOR = 100,
  // Not for fields, only for a payload of an event as a whole.
  RINGSCRIBE_TYPE_REFERENCED = 1022,  // bytes that other payloads of the event point into
  RINGSCRIBE_TYPE_RAW = 1023          // bytes that a viewer may show as they are
};

// --- What a number means beyond its type.

// A bound of a counter's values for drawing; samples may exceed it. Both bounds of a counter have
// the same type.
enum {
  RINGSCRIBE_LIMIT_NONE = 0,
  RINGSCRIBE_LIMIT_INT64 = 1,
  RINGSCRIBE_LIMIT_UINT64 = 2,
  RINGSCRIBE_LIMIT_DOUBLE = 3
};
typedef struct ringscribe_limit {
  uint64_t type;  // RINGSCRIBE_LIMIT_*: which of the three counts
  union {
    int64_t as_int64;
    uint64_t as_uint64;
    double as_double;
  } value;
} ringscribe_limit;

// How a sample relates to the one before.
enum {
  RINGSCRIBE_COUNTER_VALUE_UNSPECIFIED = 0,
  RINGSCRIBE_COUNTER_VALUE_ABSOLUTE = 1 << 4,
  RINGSCRIBE_COUNTER_VALUE_DELTA = 2 << 4,
  RINGSCRIBE_COUNTER_VALUE_DELTA_SINCE_START = 3 << 4
};
// What the value is between two samples.
enum {
  RINGSCRIBE_COUNTER_INTERPOLATION_UNSPECIFIED = 0,
  RINGSCRIBE_COUNTER_INTERPOLATION_POINT = 1 << 8,
  RINGSCRIBE_COUNTER_INTERPOLATION_SINCE_LAST = 2 << 8,
  RINGSCRIBE_COUNTER_INTERPOLATION_UNTIL_NEXT = 3 << 8,
  RINGSCRIBE_COUNTER_INTERPOLATION_LINEAR = 4 << 8
};

typedef struct ringscribe_counter_semantics {
  size_t struct_size;
  const char* unit;  // as a viewer shows it, such as "bytes"
  ringscribe_limit min;
  ringscribe_limit max;
  uint64_t value_type;            // RINGSCRIBE_COUNTER_VALUE_*
  uint64_t interpolation;         // RINGSCRIBE_COUNTER_INTERPOLATION_*
  uint64_t unit_scale_numerator;  // the value in `unit` is sample * numerator / denominator
  uint64_t unit_scale_denominator;
  int64_t normalize;  // not 0: integers are 0 to 1 (signed: -1 to 1) of the type's range
} ringscribe_counter_semantics;
#define RINGSCRIBE_COUNTER_SEMANTICS_INIT \
  {sizeof(ringscribe_counter_semantics), NULL, {0, {0}}, {0, {0}}, 0, 0, 1, 1, 0}

// Fields of equal uuid and equal value belong together, in whatever domain.
typedef struct ringscribe_correlation {
  size_t struct_size;
  uint8_t uuid[16];
  const char* display_name;
  uint64_t role;  // NVTX has defined none yet
} ringscribe_correlation;
#define RINGSCRIBE_CORRELATION_INIT \
  {sizeof(ringscribe_correlation), {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, NULL, 0}

// --- Enums and schemas.

// One name of an enum. This struct stays as it is.
typedef struct ringscribe_enum_value {
  const char* name;
  uint64_t value;
  int64_t is_flag;  // not 0: a bit that is combined with others
} ringscribe_enum_value;

// The names of an enum's values. `size_bytes`: of the enum, 1, 2, 4 or 8. `static_id`: in
// [2^24, 2^31), or 0 for one of the library's.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_enum(
    ringscribe_domain* domain, const char* name, const ringscribe_enum_value* values,
    size_t value_count, uint32_t size_bytes, uint64_t static_id, const ringscribe_enum** enum_out);

// What an event of a schema is.
enum {
  RINGSCRIBE_KIND_NONE = 0,             // a part of other schemas, a payload beside others
  RINGSCRIBE_KIND_RANGE_PUSH_POP = 2,   // a complete range, nested as push and pop would be
  RINGSCRIBE_KIND_RANGE_START_END = 3,  // a complete range that may overlap others
  RINGSCRIBE_KIND_MARK = 4,
  RINGSCRIBE_KIND_RANGE_PUSH = 5,
  RINGSCRIBE_KIND_RANGE_POP = 6,
  RINGSCRIBE_KIND_RANGE_START = 7,  // has a range id
  RINGSCRIBE_KIND_RANGE_END = 8     // has a range id
};
// How the bytes of a schema are laid out.
enum {
  RINGSCRIBE_SCHEMA_STATIC = 1,   // as a C struct
  RINGSCRIBE_SCHEMA_DYNAMIC = 2,  // one field behind the other, some of variable length
  RINGSCRIBE_SCHEMA_UNION = 3,    // as a C union; a field beside it selects the member
  RINGSCRIBE_SCHEMA_UNION_WITH_INTERNAL_SELECTOR = 4
};
// What a field means for the event. Times are of the type RINGSCRIBE_TYPE_INT64.
enum {
  RINGSCRIBE_ROLE_FIELD = 0,
  RINGSCRIBE_ROLE_MESSAGE = 1 << 10,
  RINGSCRIBE_ROLE_TIMESTAMP = 2 << 10,  // of a counter group's sample
  RINGSCRIBE_ROLE_RANGE_BEGIN = 1 << 12,
  RINGSCRIBE_ROLE_RANGE_END = 2 << 12,
  RINGSCRIBE_ROLE_MARK = 3 << 12,
  RINGSCRIBE_ROLE_COUNTER = 4 << 12
};
// Whether a field is an array, and what says how long it is.
enum {
  RINGSCRIBE_ARRAY_NONE = 0,
  RINGSCRIBE_ARRAY_FIXED = 1,  // `length` elements
  RINGSCRIBE_ARRAY_ZERO_TERMINATED = 2,
  RINGSCRIBE_ARRAY_LENGTH_FIELD = 3,   // `length` is the index of the field that has it
  RINGSCRIBE_ARRAY_LENGTH_PAYLOAD = 4  // `length` is the index of the payload that has it
};
// Where the data of a field is.
enum {
  RINGSCRIBE_STORAGE_INLINE = 0,
  RINGSCRIBE_STORAGE_POINTER = 1,           // an address in another payload of the event
  RINGSCRIBE_STORAGE_OFFSET_FROM_BASE = 2,  // from the payload's begin
  RINGSCRIBE_STORAGE_OFFSET_FROM_HERE = 3,  // from the field's end
  // A ringscribe_flexible, whose data the write copies. The field needs an offset.
  RINGSCRIBE_STORAGE_FLEXIBLE = 4
};
// A field of RINGSCRIBE_STORAGE_FLEXIBLE in a row: its elements (bytes, of UTF-8) and where they
// are.
typedef struct ringscribe_flexible {
  uint64_t count;
  const void* data;
} ringscribe_flexible;

#define RINGSCRIBE_COMPUTED_OFFSET UINT64_MAX

// An array of fields has one struct_size for all.
typedef struct ringscribe_field {
  size_t struct_size;
  const char* name;
  // The type: one of RINGSCRIBE_TYPE_*, or a schema or enum of the same domain. One of the three.
  uint64_t type;
  const ringscribe_schema* schema;
  const ringscribe_enum* enumeration;
  uint64_t role;     // RINGSCRIBE_ROLE_*
  uint32_t array;    // RINGSCRIBE_ARRAY_*
  uint32_t storage;  // RINGSCRIBE_STORAGE_*
  // Of a fixed array its elements, of a fixed text its code units; see RINGSCRIBE_ARRAY_* for other
  // meanings; of a union the index of the field that selects the member.
  uint64_t length;
  uint64_t offset;  // in bytes, or RINGSCRIBE_COMPUTED_OFFSET: by NVTX's rules of layout
  const char* description;
  int64_t hide;                                 // not 0: viewers should not show it
  const ringscribe_counter_semantics* counter;  // NULL: none, as with the other three
  const ringscribe_time_domain* time_domain;    // of a timestamp; NULL: the stream's
  const ringscribe_scope* scope;
  const ringscribe_correlation* correlation;
} ringscribe_field;
#define RINGSCRIBE_FIELD_INIT                                        \
  {sizeof(ringscribe_field),   NULL, 0, NULL, NULL, 0,    0,   0, 0, \
   RINGSCRIBE_COMPUTED_OFFSET, NULL, 0, NULL, NULL, NULL, NULL}

typedef struct ringscribe_schema_options {
  size_t struct_size;
  uint32_t kind;             // RINGSCRIBE_KIND_*
  uint32_t type;             // RINGSCRIBE_SCHEMA_*
  size_t row_bytes;          // with padding, sizeof of the struct; 0: by NVTX's rules of layout
  size_t pack_align;         // as #pragma pack(N); 0: natural alignment
  int64_t is_referenced;     // not 0: other payloads of an event may point into this one
  int64_t is_counter_group;  // not 0: for ringscribe_domain_get_counter_group
  uint64_t static_id;        // in [2^24, 2^31); 0: one of the library's
} ringscribe_schema_options;
#define RINGSCRIBE_SCHEMA_OPTIONS_INIT \
  {sizeof(ringscribe_schema_options), 0, RINGSCRIBE_SCHEMA_STATIC, 0, 0, 0, 0, 0}

// A layout of events. Roles that a kind needs: a mark MARK; a complete range RANGE_BEGIN and
// RANGE_END; a push or start RANGE_BEGIN; a pop or end RANGE_END; start and end one field of the
// type RINGSCRIBE_TYPE_RANGE_ID. `options` may be NULL. Errors are those that NVTX's rules and the
// kind make.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_schema(
    ringscribe_domain* domain, const char* name, const ringscribe_field* fields, size_t field_count,
    const ringscribe_schema_options* options, const ringscribe_schema** schema_out);
// Bytes of a row; 0 if rows differ in size, if nothing is recorded, and for NULL.
RINGSCRIBE_C_API size_t ringscribe_schema_row_bytes(const ringscribe_schema* schema);

// --- Counters.

typedef struct ringscribe_counter_options {
  size_t struct_size;
  const char* description;
  const ringscribe_counter_semantics*
      semantics;                              // of the counter as a whole; NULL: nothing is said
  const ringscribe_scope* scope;              // NULL: nothing is said
  const ringscribe_time_domain* time_domain;  // of the samples' times; NULL: the stream's
  uint64_t static_id;                         // in [2^24, 2^31); 0: one of the library's
} ringscribe_counter_options;
#define RINGSCRIBE_COUNTER_OPTIONS_INIT \
  {sizeof(ringscribe_counter_options), NULL, NULL, NULL, NULL, 0}

// A counter of one number, of an integer or floating point type of up to 64 bits. A name that is
// taken by a counter of another type is an error. `options` may be NULL.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_counter(
    ringscribe_domain* domain, const char* name, uint64_t type,
    const ringscribe_counter_options* options, const ringscribe_counter** counter_out);
// A group of numbers that are sampled together, laid out as `schema`: of this domain, flat, of
// fixed size. `options` may be NULL.
RINGSCRIBE_C_API ringscribe_result ringscribe_domain_get_counter_group(
    ringscribe_domain* domain, const char* name, const ringscribe_schema* schema,
    const ringscribe_counter_options* options, const ringscribe_counter** counter_out);
// Bytes of a sample; 0 if nothing is recorded, and for NULL.
RINGSCRIBE_C_API size_t ringscribe_counter_sample_bytes(const ringscribe_counter* counter);
// 1 if the samples have a field RINGSCRIBE_ROLE_TIMESTAMP: only ringscribe_write_counter_batch
// takes them.
RINGSCRIBE_C_API int ringscribe_counter_has_embedded_time(const ringscribe_counter* counter);

// --- Streams.

enum { RINGSCRIBE_STREAM_INTERLEAVING_NONE = 0, RINGSCRIBE_STREAM_INTERLEAVING_SCOPE = 1 };
enum {
  RINGSCRIBE_STREAM_ORDERING_UNKNOWN = 0,
  RINGSCRIBE_STREAM_ORDERING_STRICT = 1,  // by time; single points in time only
  RINGSCRIBE_STREAM_ORDERING_PACKED_RANGE_START = 2,
  RINGSCRIBE_STREAM_ORDERING_PACKED_RANGE_END = 3
};
enum {
  RINGSCRIBE_STREAM_SKID_NONE = 0,
  RINGSCRIBE_STREAM_SKID_TIME_NS = 1,
  RINGSCRIBE_STREAM_SKID_EVENT_COUNT = 2
};

typedef struct ringscribe_stream_options {
  size_t struct_size;
  const ringscribe_domain* domain;            // NULL: the session's default domain
  const ringscribe_scope* scope;              // of events that say no other
  const ringscribe_time_domain* time_domain;  // of the explicit times; NULL: not known
  int32_t interleaving;                       // RINGSCRIBE_STREAM_INTERLEAVING_*
  int32_t ordering;                           // RINGSCRIBE_STREAM_ORDERING_*
  int64_t skid;                               // RINGSCRIBE_STREAM_SKID_*
  int64_t skid_amount;
} ringscribe_stream_options;
#define RINGSCRIBE_STREAM_OPTIONS_INIT \
  {sizeof(ringscribe_stream_options), NULL, NULL, NULL, 0, 0, 0, 0}

// Opens a stream for events with explicit times. An error if one of that name is open in the
// session, or if domain or scope are of another. `options` may be NULL.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_create_stream(
    ringscribe_session* session, const char* name, const ringscribe_stream_options* options,
    ringscribe_stream** stream_out);
// Opens a stream for live calls, whose times are taken from the clock that RINGSCRIBE_CLOCK chose;
// viewers show one row a thread. `domain`: NULL for the session's default domain.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_live_stream(ringscribe_session* session,
                                                                  const char* name,
                                                                  const ringscribe_domain* domain,
                                                                  ringscribe_stream** stream_out);
// The same, with its events in `scope` instead, whatever thread writes them: a row for a fiber,
// coroutine or queue that moves between threads. Push and pop of two threads may be read in the
// other order there: use start and end.
RINGSCRIBE_C_API ringscribe_result ringscribe_session_live_stream_in_scope(
    ringscribe_session* session, const char* name, const ringscribe_domain* domain,
    const ringscribe_scope* scope, ringscribe_stream** stream_out);
enum {
  RINGSCRIBE_OVERFLOW_AS_PROCESS = 0,  // as RINGSCRIBE_OVERFLOW says
  RINGSCRIBE_OVERFLOW_DROP = 1,        // the newest event is lost, and counted
  RINGSCRIBE_OVERFLOW_BLOCK = 2,       // the thread waits, RINGSCRIBE_BLOCK_TIMEOUT at most
};
// What happens to the stream's events when a thread's ring is full, from now on.
RINGSCRIBE_C_API ringscribe_result ringscribe_stream_set_overflow(const ringscribe_stream* stream,
                                                                  int32_t overflow);
// Waits until all that was written has reached the backend, then closes. May be called again. Later
// writes record nothing and are counted.
RINGSCRIBE_C_API ringscribe_result ringscribe_stream_close(ringscribe_stream* stream);
// Closes the stream if it is open (a failure goes to stderr) and frees the handle before the
// session does: for programs that open and close many. NULL is allowed.
RINGSCRIBE_C_API void ringscribe_stream_release(ringscribe_stream* stream);
// As ringscribe_session_stats, of one stream.
RINGSCRIBE_C_API ringscribe_result ringscribe_stream_stats(const ringscribe_stream* stream,
                                                           ringscribe_counts* counts);

// --- Writes with explicit times.

typedef struct ringscribe_event_args {
  size_t struct_size;
  const char* message;                         // copied; NULL: none
  size_t message_bytes;                        // 0: up to the zero
  const ringscribe_string* registered_string;  // instead of `message`, of the stream's domain
  uint32_t color_argb;                         // 0xAARRGGBB; 0: none
  uint32_t category;                           // 0: none
  const char* category_name;                   // instead of `category`; looked up under a lock
} ringscribe_event_args;
#define RINGSCRIBE_EVENT_ARGS_INIT {sizeof(ringscribe_event_args), NULL, 0, NULL, 0, 0, NULL}

// In all of these `args` may be NULL.
RINGSCRIBE_C_API int ringscribe_write_mark(const ringscribe_stream* stream, int64_t timestamp,
                                           const ringscribe_event_args* args);
// A range that nests within others of its thread.
RINGSCRIBE_C_API int ringscribe_write_pushpop(const ringscribe_stream* stream, int64_t start,
                                              int64_t end, const ringscribe_event_args* args);
// A range that may overlap others.
RINGSCRIBE_C_API int ringscribe_write_startend(const ringscribe_stream* stream, int64_t start,
                                               int64_t end, const ringscribe_event_args* args);
RINGSCRIBE_C_API int ringscribe_write_push(const ringscribe_stream* stream, int64_t timestamp,
                                           const ringscribe_event_args* args);
// Ends the range that this thread pushed last on this stream.
RINGSCRIBE_C_API int ringscribe_write_pop(const ringscribe_stream* stream, int64_t timestamp);
// Starts a range that any thread may end. Returns `range_id`, or a new one if that is 0; 0 if the
// stream is NULL.
RINGSCRIBE_C_API uint64_t ringscribe_write_start(const ringscribe_stream* stream, int64_t timestamp,
                                                 const ringscribe_event_args* args,
                                                 uint64_t range_id);
RINGSCRIBE_C_API int ringscribe_write_end(const ringscribe_stream* stream, int64_t timestamp,
                                          uint64_t range_id);

// A row of a schema with a kind. Another size than the schema's is refused, but for schemas whose
// rows differ in size.
RINGSCRIBE_C_API int ringscribe_write_event(const ringscribe_stream* stream,
                                            const ringscribe_schema* schema, const void* row,
                                            size_t row_bytes);

// A part of an event: laid out as `schema` says, or, if that is NULL, elements of the type `type`,
// text without terminator, or bytes (RINGSCRIBE_TYPE_REFERENCED, _RAW). This struct stays as it is.
typedef struct ringscribe_payload {
  const ringscribe_schema* schema;
  uint64_t type;
  const void* data;
  size_t size_bytes;
} ringscribe_payload;
// Several payloads that make one event; at most 64. A pointer in one has to lead into one of them.
RINGSCRIBE_C_API int ringscribe_write_event_payloads(const ringscribe_stream* stream,
                                                     const ringscribe_payload* payloads,
                                                     size_t payload_count);

// How the times of a batch are sorted.
enum {
  RINGSCRIBE_BATCH_SORTED = 0,
  RINGSCRIBE_BATCH_PARTIALLY_SORTED = 1 << 1,
  RINGSCRIBE_BATCH_SORTED_PER_SCOPE = 2 << 1,
  RINGSCRIBE_BATCH_UNSORTED = 3 << 1,
  RINGSCRIBE_BATCH_DETECT = 255  // the library looks, and tells the backend
};
// Complete events (marks and complete ranges) of one schema, back to back. Returns how many were
// recorded.
RINGSCRIBE_C_API uint64_t ringscribe_write_event_batch(const ringscribe_stream* stream,
                                                       const ringscribe_schema* schema,
                                                       const void* rows, size_t rows_bytes,
                                                       uint32_t ordering);

// A sample of a counter of one number; converted if the counter is of another type.
RINGSCRIBE_C_API int ringscribe_write_counter_sample_int64(const ringscribe_stream* stream,
                                                           const ringscribe_counter* counter,
                                                           int64_t timestamp, int64_t value);
RINGSCRIBE_C_API int ringscribe_write_counter_sample_uint64(const ringscribe_stream* stream,
                                                            const ringscribe_counter* counter,
                                                            int64_t timestamp, uint64_t value);
RINGSCRIBE_C_API int ringscribe_write_counter_sample_double(const ringscribe_stream* stream,
                                                            const ringscribe_counter* counter,
                                                            int64_t timestamp, double value);
// A sample of a counter or group as bytes. Groups with embedded times are refused.
RINGSCRIBE_C_API int ringscribe_write_counter_sample(const ringscribe_stream* stream,
                                                     const ringscribe_counter* counter,
                                                     int64_t timestamp, const void* sample,
                                                     size_t sample_bytes);

// Why a sample has no value.
enum {
  RINGSCRIBE_NO_VALUE_ZERO = 0,
  RINGSCRIBE_NO_VALUE_UNCHANGED = 1,
  RINGSCRIBE_NO_VALUE_UNAVAILABLE = 2
};
RINGSCRIBE_C_API int ringscribe_write_counter_sample_no_value(const ringscribe_stream* stream,
                                                              const ringscribe_counter* counter,
                                                              int64_t timestamp, uint32_t reason);

// The times of a batch of samples.
enum {
  RINGSCRIBE_TIMES_EMBEDDED = 0,  // in the samples themselves
  RINGSCRIBE_TIMES_EACH = 1,      // one a sample
  RINGSCRIBE_TIMES_FROM = 2,      // the first sample at `anchor`, each next one `interval` later
  RINGSCRIBE_TIMES_UNTIL = 3      // the last sample at `anchor`, each one before it earlier
};
typedef struct ringscribe_sample_times {
  size_t struct_size;
  uint64_t form;        // RINGSCRIBE_TIMES_*
  const int64_t* each;  // of RINGSCRIBE_TIMES_EACH
  size_t each_count;    // as many as there are samples
  int64_t anchor;       // of the two other forms
  int64_t interval;
} ringscribe_sample_times;
#define RINGSCRIBE_SAMPLE_TIMES_INIT \
  {sizeof(ringscribe_sample_times), RINGSCRIBE_TIMES_EMBEDDED, NULL, 0, 0, 0}

// Samples of the counter's own type, back to back. `times`: NULL for groups with embedded times,
// and only for those. Returns how many were recorded.
RINGSCRIBE_C_API uint64_t ringscribe_write_counter_batch(const ringscribe_stream* stream,
                                                         const ringscribe_counter* counter,
                                                         const void* samples, size_t samples_bytes,
                                                         const ringscribe_sample_times* times,
                                                         uint32_t ordering);

// --- Time: how two time domains relate, for tools to convert. Each call counts as one event.

// The same moment in two time domains. This struct stays as it is.
typedef struct ringscribe_sync_point {
  int64_t source;
  int64_t destination;
} ringscribe_sync_point;
RINGSCRIBE_C_API int ringscribe_write_sync_point(const ringscribe_stream* stream,
                                                 const ringscribe_time_domain* time1,
                                                 const ringscribe_time_domain* time2, int64_t first,
                                                 int64_t second);
RINGSCRIBE_C_API int ringscribe_write_sync_points(const ringscribe_stream* stream,
                                                  const ringscribe_time_domain* source,
                                                  const ringscribe_time_domain* destination,
                                                  const ringscribe_sync_point* points,
                                                  size_t point_count);
// destination = at_destination + slope * (source - at_source).
RINGSCRIBE_C_API int ringscribe_write_conversion_factor(const ringscribe_stream* stream,
                                                        const ringscribe_time_domain* source,
                                                        const ringscribe_time_domain* destination,
                                                        double slope, int64_t at_source,
                                                        int64_t at_destination);

// --- Live: on live streams; the time is that of the call.

// What does not change between two calls of one place in the program. Keep it static: the library
// writes a number into it on its first use and copies the texts then, so that later calls copy
// none. This struct stays as it is.
typedef struct ringscribe_call_site {
  uint32_t id;  // the library's; 0 at first
  const char* message;
  const char* category;  // NULL: none
  const char* file;
  uint32_t color_argb;
  uint32_t line;
} ringscribe_call_site;
#define RINGSCRIBE_CALL_SITE_INIT(message, color_argb, category) \
  {0, (message), (category), __FILE__, (color_argb), __LINE__}

// A mark without any copying: one clock read and 16 bytes.
RINGSCRIBE_C_API int ringscribe_mark_site(const ringscribe_stream* stream,
                                          ringscribe_call_site* site);
// A range without any copying: two clock reads and 24 bytes, written at the end. Returns when it
// began, for ringscribe_range_end on the same thread; 0 if nothing is to be recorded.
RINGSCRIBE_C_API int64_t ringscribe_range_begin(const ringscribe_stream* stream);
// Records nothing if `begin` is 0.
RINGSCRIBE_C_API int ringscribe_range_end(const ringscribe_stream* stream,
                                          ringscribe_call_site* site, int64_t begin);
// The same with texts that are made at run time. `args` may be NULL.
RINGSCRIBE_C_API int ringscribe_mark(const ringscribe_stream* stream,
                                     const ringscribe_event_args* args);
RINGSCRIBE_C_API int ringscribe_push(const ringscribe_stream* stream,
                                     const ringscribe_event_args* args);
RINGSCRIBE_C_API int ringscribe_pop(const ringscribe_stream* stream);
RINGSCRIBE_C_API int ringscribe_sample_int64(const ringscribe_stream* stream,
                                             const ringscribe_counter* counter, int64_t value);
RINGSCRIBE_C_API int ringscribe_sample_uint64(const ringscribe_stream* stream,
                                              const ringscribe_counter* counter, uint64_t value);
RINGSCRIBE_C_API int ringscribe_sample_double(const ringscribe_stream* stream,
                                              const ringscribe_counter* counter, double value);
// A sample of a counter or group as bytes. Groups with embedded times are refused.
RINGSCRIBE_C_API int ringscribe_sample(const ringscribe_stream* stream,
                                       const ringscribe_counter* counter, const void* sample,
                                       size_t sample_bytes);
RINGSCRIBE_C_API int ringscribe_sample_no_value(const ringscribe_stream* stream,
                                                const ringscribe_counter* counter, uint32_t reason);

// The time of live events now, in ticks of the chosen clock: for rows on live streams.
RINGSCRIBE_C_API int64_t ringscribe_now(void);
// Gives the calling thread its ring now, so that its first event costs like any other, and names it
// in the output if `name` is neither NULL nor "" (15 bytes are kept).
RINGSCRIBE_C_API void ringscribe_prepare_thread(const char* name);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RINGSCRIBE_API_RINGSCRIBE_C_H_
