/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls every function of NVTX's core, payload and counter headers, and those of memory and
 * synchronisation objects; all_calls_test.py knows what has to be in the recording. Checks what the
 * functions return, and says on stdout how many calls are events or samples.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvToolsExtSync.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int events;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "all_calls.c:%d: not so: %s\n", __LINE__, #condition); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)
#define EVENT(call) (++events, call)

static nvtxEventAttributes_t attributes(const char* message) {
  nvtxEventAttributes_t result;
  memset(&result, 0, sizeof result);
  result.version = NVTX_VERSION;
  result.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  result.messageType = NVTX_MESSAGE_TYPE_ASCII;
  result.message.ascii = message;
  return result;
}

static void core_default_domain(void) {
  nvtxEventAttributes_t ex = attributes("mark ex");
  nvtxInitialize(NULL);
  nvtxNameCategoryA(3, "three");
  nvtxNameCategoryW(4, L"v\u00f6er");
  nvtxNameOsThreadA(1234567, "some thread");
  nvtxNameOsThreadW(1234568, L"another thread");
  EVENT(nvtxMarkA("mark a"));
  EVENT(nvtxMarkW(L"mark \u00fc \U0001F600"));
  ex.category = 3;
  EVENT(nvtxMarkEx(&ex));
  ex = attributes("push ex");
  ex.category = 4;
  CHECK(EVENT(nvtxRangePushA("push a")) == 0);
  CHECK(EVENT(nvtxRangePushW(L"push w")) == 1);
  CHECK(EVENT(nvtxRangePushEx(&ex)) == 2);
  CHECK(EVENT(nvtxRangePop()) == 2);
  CHECK(EVENT(nvtxRangePop()) == 1);
  CHECK(EVENT(nvtxRangePop()) == 0);
  CHECK(nvtxRangePop() < 0);
  CHECK(nvtxRangePop() < 0);
  ex = attributes("start ex");
  const nvtxRangeId_t a = EVENT(nvtxRangeStartA("start a"));
  const nvtxRangeId_t w = EVENT(nvtxRangeStartW(L"start w"));
  const nvtxRangeId_t e = EVENT(nvtxRangeStartEx(&ex));
  CHECK(a != 0 && w != 0 && e != 0 && a != w && a != e && w != e);
  EVENT(nvtxRangeEnd(a));
  EVENT(nvtxRangeEnd(e));
  EVENT(nvtxRangeEnd(w));
  nvtxRangeEnd(0);
  EVENT(nvtxMarkA(NULL));
  EVENT(nvtxMarkEx(NULL));
}

static void attribute_types(nvtxDomainHandle_t domain) {
  nvtxDomainHandle_t other = nvtxDomainCreateW(L"\u00f6ther");
  CHECK(other != NULL && other != domain && nvtxDomainCreateA("all calls") == domain);
  nvtxStringHandle_t registered = nvtxDomainRegisterStringA(domain, "registered a");
  nvtxStringHandle_t wide = nvtxDomainRegisterStringW(domain, L"registered w \u20ac");
  CHECK(registered != NULL && wide != NULL && registered != wide);
  CHECK(nvtxDomainRegisterStringA(domain, "registered a") == registered);
  nvtxDomainNameCategoryA(domain, 1, "one");
  nvtxDomainNameCategoryW(domain, 2, L"two");

  nvtxEventAttributes_t event = attributes(NULL);
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = registered;
  EVENT(nvtxDomainMarkEx(domain, &event));
  event.message.registered = wide;
  event.category = 1;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xFF102030;
  EVENT(nvtxDomainMarkEx(domain, &event));
  event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  event.message.unicode = L"unicode \u00e9";
  event.category = 2;
  EVENT(nvtxDomainMarkEx(domain, &event));
  event.message.unicode = NULL;
  event.category = 77; /* without a name */
  EVENT(nvtxDomainMarkEx(domain, &event));
  event = attributes("colour that is not used");
  event.color = 0xFF102030;
  EVENT(nvtxDomainMarkEx(domain, &event));
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED; /* of another domain: no message */
  event.message.registered = registered;
  EVENT(nvtxDomainMarkEx(other, &event));
  nvtxDomainDestroy(other);

  /* Sizes of other versions. */
  event = attributes("small");
  event.category = 1;
  event.size = 8;
  EVENT(nvtxDomainMarkEx(domain, &event));
  struct {
    nvtxEventAttributes_t now;
    char later[64];
  } large = {attributes("large"), {1}};
  large.now.size = sizeof large;
  EVENT(nvtxDomainMarkEx(domain, &large.now));

  static const int32_t kTypes[] = {
      NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE,
      NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32, NVTX_PAYLOAD_TYPE_FLOAT,
  };
  for (size_t i = 0; i < sizeof kTypes / sizeof kTypes[0]; ++i) {
    char name[32];
    snprintf(name, sizeof name, "payload type %d", (int)kTypes[i]);
    event = attributes(name);
    event.payloadType = kTypes[i];
    event.payload.ullValue = 0;
    if (kTypes[i] == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) event.payload.ullValue = UINT64_MAX;
    if (kTypes[i] == NVTX_PAYLOAD_TYPE_INT64) event.payload.llValue = INT64_MIN;
    if (kTypes[i] == NVTX_PAYLOAD_TYPE_DOUBLE) event.payload.dValue = 0.5;
    if (kTypes[i] == NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) event.payload.uiValue = UINT32_MAX;
    if (kTypes[i] == NVTX_PAYLOAD_TYPE_INT32) event.payload.iValue = -7;
    if (kTypes[i] == NVTX_PAYLOAD_TYPE_FLOAT) event.payload.fValue = 0.25f;
    EVENT(nvtxDomainMarkEx(domain, &event));
    CHECK(EVENT(nvtxDomainRangePushEx(domain, &event)) == 0);
    const nvtxRangeId_t id = EVENT(nvtxDomainRangeStartEx(domain, &event));
    CHECK(id != 0);
    EVENT(nvtxDomainRangeEnd(domain, id));
    CHECK(EVENT(nvtxDomainRangePop(domain)) == 0);
  }
  CHECK(nvtxDomainRangePop(domain) < 0);

  nvtxResourceAttributes_t resource;
  memset(&resource, 0, sizeof resource);
  resource.version = NVTX_VERSION;
  resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
  resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_POINTER;
  resource.identifier.pValue = &events;
  resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
  resource.message.ascii = "a counter of events";
  nvtxResourceHandle_t handle = nvtxDomainResourceCreate(domain, &resource);
  CHECK(handle != NULL);
  nvtxDomainResourceDestroy(handle);
  CHECK(nvtxDomainResourceCreate(domain, NULL) == NULL);
}

/* --- Payloads. */

enum { kAll = 0x3FE }; /* all fields of attributes */

static uint64_t schema_of(nvtxDomainHandle_t domain, const char* name, uint64_t type,
                          uint64_t flags, const nvtxPayloadSchemaEntry_t* entries, size_t count,
                          size_t bytes, uint64_t id) {
  nvtxPayloadSchemaAttr_t attr;
  memset(&attr, 0, sizeof attr);
  attr.fieldMask = kAll;
  attr.name = name;
  attr.type = type;
  attr.flags = flags;
  attr.entries = entries;
  attr.numEntries = count;
  attr.payloadStaticSize = bytes;
  attr.schemaId = id;
  return nvtxPayloadSchemaRegister(domain, &attr);
}

struct inner {
  int16_t x, y;
};
struct outer {
  int64_t number;
  struct inner inner;
  uint32_t state; /* an enum */
  const char* text;
  const int32_t* values;
  uint64_t value_count;
  char fixed[8];
};

static void payloads(nvtxDomainHandle_t domain) {
  const nvtxPayloadEnum_t values[] = {{"idle", 0, 0}, {"busy", 1, 0}};
  nvtxPayloadEnumAttr_t state;
  memset(&state, 0, sizeof state);
  state.fieldMask = 0x7E;
  state.name = "state";
  state.entries = values;
  state.numEntries = 2;
  state.sizeOfEnum = 4;
  const uint64_t state_id = nvtxPayloadEnumRegister(domain, &state);
  CHECK(state_id != 0);
  const nvtxPayloadSchemaEntry_t inner_entries[] = {
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT16, .name = "x"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT16, .name = "y"},
  };
  const uint64_t kInner = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 5;
  CHECK(schema_of(domain, "inner", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 0, inner_entries, 2,
                  sizeof(struct inner), kInner) == kInner);
  const nvtxPayloadSchemaEntry_t outer_entries[] = {
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "number"},
      {.type = kInner, .name = "inner"},
      {.type = state_id, .name = "state"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
       .name = "text"},
      /* A length stands before its array. */
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64,
       .name = "count",
       .offset = offsetof(struct outer, value_count)},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY | NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_INT32,
       .name = "values",
       .arrayOrUnionDetail = 4,
       .offset = offsetof(struct outer, values)},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
       .name = "fixed",
       .arrayOrUnionDetail = 8,
       .offset = offsetof(struct outer, fixed)},
  };
  const uint64_t outer = schema_of(domain, "outer", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 0,
                                   outer_entries, 7, sizeof(struct outer), 0);
  CHECK(outer >= NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
  char text[16] = "deep";
  int32_t numbers[] = {1, 2, 3};
  const struct outer row = {-1, {3, 4}, 1, text, numbers, 3, "fix"};
  const nvtxPayloadData_t payload = {outer, sizeof row, &row};

  nvtxEventAttributes_t event = attributes("extended");
  nvtxPayloadMark(domain, &event, outer, &row, sizeof row);
  ++events;
  strcpy(text, "gone"); /* it was copied */
  numbers[0] = 99;
  strcpy(text, "deep");
  numbers[0] = 1;
  nvtxPayloadRangePush(domain, &event, outer, &row, sizeof row);
  ++events;
  CHECK(EVENT(nvtxDomainRangePop(domain)) == 0);

  /* Events whose attributes are payloads. */
  const nvtxPayloadSchemaEntry_t named_entries[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8,
       .name = "message"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "step"},
  };
  struct {
    const char* message;
    int64_t step;
  } named = {"by payload", 8};
  const uint64_t named_id = schema_of(domain, "named", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 0,
                                      named_entries, 2, sizeof named, 0);
  const nvtxPayloadData_t both[] = {{named_id, sizeof named, &named}, payload};
  EVENT(nvtxMarkPayload(domain, both, 1));
  CHECK(EVENT(nvtxRangePushPayload(domain, both, 1)) == 0);
  CHECK(EVENT(nvtxRangePopPayload(domain, &payload, 1)) == 0);
  CHECK(nvtxRangePopPayload(domain, &payload, 1) < 0);
  const nvtxRangeId_t id = EVENT(nvtxRangeStartPayload(domain, both, 2));
  CHECK(id != 0);
  EVENT(nvtxRangeEndPayload(domain, id, NULL, 0));

  /* What cannot be read is left out; the event stays. */
  const nvtxPayloadData_t unknown = {NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 999, 8, &named.step};
  event = attributes("with a payload of an unknown schema");
  NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE_N(event, &unknown, 1)
  EVENT(nvtxDomainMarkEx(domain, &event));
  CHECK(schema_of(domain, "wrong", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 0, named_entries, 0, 8, 0) ==
        0);
  CHECK(nvtxPayloadSchemaRegister(domain, NULL) == 0);
  CHECK(nvtxPayloadEnumRegister(domain, NULL) == 0);

  nvtxScopeAttr_t scope = {sizeof scope, "machine/gpu[0]", NVTX_SCOPE_ROOT, 0};
  CHECK(nvtxScopeRegister(domain, &scope) != NVTX_SCOPE_NONE);
  scope.scopeId = NVTX_SCOPE_ID_STATIC_START + 1;
  CHECK(nvtxScopeRegister(domain, &scope) == NVTX_SCOPE_ID_STATIC_START + 1);
  CHECK(nvtxScopeRegister(domain, NULL) == NVTX_SCOPE_NONE);
  CHECK(nvtxDomainIsEnabled(domain) == 1 && nvtxDomainIsEnabled(NULL) == 1);
}

/* --- Time and deferred events. */

static int64_t my_clock(void) { return nvtxTimestampGet() / 2; }
static int64_t my_clock_with_data(void* data) { return my_clock() + *(int64_t*)data; }

struct deferred {
  int64_t begin, end, value;
};

static void deferred_events(nvtxDomainHandle_t domain) {
  CHECK(nvtxTimestampGet() > 0 && nvtxTimestampGet() <= nvtxTimestampGet());
  nvtxTimeDomainAttr_t clock;
  memset(&clock, 0, sizeof clock);
  clock.timerFlags = NVTX_TIMER_FLAG_CLOCK_MONOTONIC;
  const uint64_t mine = nvtxTimeDomainRegister(domain, &clock);
  clock.timeDomainId = NVTX_TIME_DOMAIN_ID_STATIC_START + 2;
  clock.timerResolution = 1000;
  const uint64_t other = nvtxTimeDomainRegister(domain, &clock);
  CHECK(mine != 0 && other == NVTX_TIME_DOMAIN_ID_STATIC_START + 2);
  EVENT(nvtxTimeSyncPoint(domain, mine, NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, 1, 2));
  const nvtxSyncPoint_t points[] = {{1000, 2000}, {2000, 4000}};
  EVENT(nvtxTimeSyncPointTable(domain, mine, NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, points, 2));
  ++events; /* each point counts */
  EVENT(nvtxTimestampConversionFactor(domain, other, NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, 3.0, 0, 0));

  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
       .name = "begin"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
       .name = "end"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "value"},
  };
  const uint64_t range =
      schema_of(domain, "deferred", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP, entries, 3, sizeof(struct deferred), 0);
  CHECK(range != 0);
  const int64_t now = nvtxTimestampGet();
  const struct deferred rows[] = {
      {now, now + 10, 1}, {now + 20, now + 30, 2}, {now + 5, now + 6, 3}};
  const nvtxPayloadData_t one = {range, sizeof rows[0], &rows[0]};
  EVENT(nvtxEventSubmit(domain, &one, 1));
  nvtxEventBatch_t batch;
  memset(&batch, 0, sizeof batch);
  batch.eventSchemaId = range;
  batch.events = rows;
  batch.size = 2 * sizeof rows[0];
  EVENT(nvtxEventBatchSubmit(domain, &batch));
  ++events;
  batch.size = sizeof rows;
  batch.flags = NVTX_BATCH_FLAG_UNSORTED;
  EVENT(nvtxEventBatchSubmit(domain, &batch));
  events += 2;
  nvtxEventSubmit(domain, NULL, 0);
  nvtxEventBatchSubmit(domain, NULL);

  static int64_t offset = 5;
  nvtxTimerSource(domain, mine, NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN, my_clock);
  nvtxTimerSourceWithData(domain, mine, NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN,
                          my_clock_with_data, &offset);
  events += 2; /* a point each */
}

/* --- Counters. */

static void counters(nvtxDomainHandle_t domain) {
  static const struct {
    uint64_t type;
    const char* name;
  } kNumbers[] = {
      {NVTX_PAYLOAD_ENTRY_TYPE_INT64, "int64"}, {NVTX_PAYLOAD_ENTRY_TYPE_INT32, "int32"},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "uint8"}, {NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "double"},
      {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, "float"},
  };
  nvtxSemanticsCounter_t semantics;
  memset(&semantics, 0, sizeof semantics);
  semantics.header.structSize = sizeof semantics;
  semantics.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
  semantics.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
  semantics.unit = "things";
  semantics.unitScaleNumerator = semantics.unitScaleDenominator = 1;
  for (size_t i = 0; i < sizeof kNumbers / sizeof kNumbers[0]; ++i) {
    nvtxCounterAttr_t attr;
    memset(&attr, 0, sizeof attr);
    attr.structSize = sizeof attr;
    attr.schemaId = kNumbers[i].type;
    attr.name = kNumbers[i].name;
    attr.semantics = &semantics.header;
    if (i == 1) attr.counterId = NVTX_COUNTER_ID_STATIC_START + 1;
    const uint64_t counter = nvtxCounterRegister(domain, &attr);
    CHECK(counter != 0);
    EVENT(nvtxCounterSampleInt64(domain, counter, 100));
    EVENT(nvtxCounterSampleFloat64(domain, counter, 2.5));
  }
  nvtxCounterAttr_t attr;
  memset(&attr, 0, sizeof attr);
  attr.structSize = sizeof attr;
  attr.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
  attr.name = "batches";
  const uint64_t batches = nvtxCounterRegister(domain, &attr);
  const int32_t values[] = {10, 20, 30};
  EVENT(nvtxCounterSample(domain, batches, &values[0], sizeof values[0]));
  EVENT(nvtxCounterSampleNoValue(domain, batches, NVTX_COUNTER_SAMPLE_UNAVAILABLE));
  const int64_t now = nvtxTimestampGet();
  const int64_t times[] = {now, now + 10, now + 20};
  nvtxCounterBatch_t batch = {batches, values, sizeof values, 0, times, sizeof times};
  EVENT(nvtxCounterBatchSubmit(domain, &batch));
  batch.flags = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR;
  batch.timestampsSize = 2 * sizeof times[0];
  const int64_t pair[] = {now, 7};
  batch.timestamps = pair;
  EVENT(nvtxCounterBatchSubmit(domain, &batch));
  batch.flags = NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
  EVENT(nvtxCounterBatchSubmit(domain, &batch));
  events += 6;

  struct pair_row {
    int64_t used;
    double load;
  };
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
       .name = "used"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER,
       .type = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
       .name = "load"},
  };
  attr.schemaId =
      schema_of(domain, "memory", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP, entries, 2, sizeof(struct pair_row), 0);
  attr.name = "memory";
  const uint64_t group = nvtxCounterRegister(domain, &attr);
  CHECK(group != 0);
  const struct pair_row row = {4096, 0.5};
  EVENT(nvtxCounterSample(domain, group, &row, sizeof row));
  CHECK(nvtxCounterRegister(domain, NULL) == 0);
}

/* --- What is present and does nothing. */

static void others(nvtxDomainHandle_t domain) {
  nvtxMemHeapDesc_t heap;
  memset(&heap, 0, sizeof heap);
  nvtxMemHeapHandle_t handle = nvtxMemHeapRegister(domain, &heap);
  nvtxMemHeapReset(domain, handle);
  nvtxMemHeapUnregister(domain, handle);
  nvtxSyncUserAttributes_t attr;
  memset(&attr, 0, sizeof attr);
  nvtxSyncUser_t sync = nvtxDomainSyncUserCreate(domain, &attr);
  nvtxDomainSyncUserAcquireStart(sync);
  nvtxDomainSyncUserAcquireFailed(sync);
  nvtxDomainSyncUserAcquireSuccess(sync);
  nvtxDomainSyncUserReleasing(sync);
  nvtxDomainSyncUserDestroy(sync);
}

int main(void) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("all calls");
  CHECK(domain != NULL);
  core_default_domain();
  attribute_types(domain);
  payloads(domain);
  deferred_events(domain);
  counters(domain);
  others(domain);
  /* Handles that nobody gave out. */
  nvtxDomainMarkEx((nvtxDomainHandle_t)(uintptr_t)0xDEADBEEF, NULL);
  CHECK(nvtxDomainRangePop((nvtxDomainHandle_t)(uintptr_t)99) < 0);
  CHECK(nvtxDomainIsEnabled((nvtxDomainHandle_t)(uintptr_t)99) == 0);
  nvtxDomainDestroy(domain);
  const nvtxEventAttributes_t late = attributes("after destroy");
  EVENT(nvtxDomainMarkEx(domain, &late));
  printf("%d\n", events);
  return 0;
}
