/* SPDX-License-Identifier: Apache-2.0
 *
 * Payloads, deferred events and counters in each form that NVTX has for them; payload_forms_test.py
 * knows what has to be in the recording. The name of an event says what its payload is. Prints how
 * many calls are events or samples.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int events;
static nvtxDomainHandle_t domain;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      fprintf(stderr, "payload_forms.c:%d: not so: %s\n", __LINE__, #condition); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

enum { kStatic = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, kDynamic = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC };
enum {
  kFixed = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE,
  kTerminated = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
  kByIndex = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
  kByPayload = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX,
  kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER,
  kDeep = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
};
enum {
  kInt8 = NVTX_PAYLOAD_ENTRY_TYPE_INT8,
  kInt16 = NVTX_PAYLOAD_ENTRY_TYPE_INT16,
  kInt32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32,
  kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
  kUint32 = NVTX_PAYLOAD_ENTRY_TYPE_UINT32,
  kUint64 = NVTX_PAYLOAD_ENTRY_TYPE_UINT64,
  kDouble = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
  kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8,
};

static uint64_t schema_with(uint64_t type, uint64_t flags, const nvtxPayloadSchemaEntry_t* entries,
                            size_t count, size_t bytes) {
  nvtxPayloadSchemaAttr_t attr;
  memset(&attr, 0, sizeof attr);
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
  attr.type = type;
  attr.flags = flags;
  attr.entries = entries;
  attr.numEntries = count;
  attr.payloadStaticSize = bytes;
  const uint64_t id = nvtxPayloadSchemaRegister(domain, &attr);
  CHECK(id != 0);
  return id;
}

static nvtxEventAttributes_t named(const char* name) {
  nvtxEventAttributes_t result;
  memset(&result, 0, sizeof result);
  result.version = NVTX_VERSION;
  result.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  result.messageType = NVTX_MESSAGE_TYPE_ASCII;
  result.message.ascii = name;
  return result;
}

static void mark_all(const char* name, const nvtxPayloadData_t* payloads, size_t count) {
  nvtxEventAttributes_t event = named(name);
  NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE_N(event, payloads, count)
  nvtxDomainMarkEx(domain, &event);
  ++events;
}
static void mark(const char* name, uint64_t schema, const void* data, size_t bytes) {
  const nvtxPayloadData_t payload = {schema, bytes, data};
  mark_all(name, &payload, 1);
}

/* --- Single values. */

static void numbers(void) {
  static const struct {
    const char* name;
    uint64_t type;
    size_t bytes;
  } kTypes[] = {
      {"char", NVTX_PAYLOAD_ENTRY_TYPE_CHAR, 1},
      {"uchar", NVTX_PAYLOAD_ENTRY_TYPE_UCHAR, 1},
      {"short", NVTX_PAYLOAD_ENTRY_TYPE_SHORT, 2},
      {"ushort", NVTX_PAYLOAD_ENTRY_TYPE_USHORT, 2},
      {"int", NVTX_PAYLOAD_ENTRY_TYPE_INT, 4},
      {"uint", NVTX_PAYLOAD_ENTRY_TYPE_UINT, 4},
      {"long", NVTX_PAYLOAD_ENTRY_TYPE_LONG, 8},
      {"ulong", NVTX_PAYLOAD_ENTRY_TYPE_ULONG, 8},
      {"longlong", NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG, 8},
      {"ulonglong", NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG, 8},
      {"int8", NVTX_PAYLOAD_ENTRY_TYPE_INT8, 1},
      {"uint8", NVTX_PAYLOAD_ENTRY_TYPE_UINT8, 1},
      {"int16", NVTX_PAYLOAD_ENTRY_TYPE_INT16, 2},
      {"uint16", NVTX_PAYLOAD_ENTRY_TYPE_UINT16, 2},
      {"int32", NVTX_PAYLOAD_ENTRY_TYPE_INT32, 4},
      {"uint32", NVTX_PAYLOAD_ENTRY_TYPE_UINT32, 4},
      {"int64", NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8},
      {"uint64", NVTX_PAYLOAD_ENTRY_TYPE_UINT64, 8},
      {"size", NVTX_PAYLOAD_ENTRY_TYPE_SIZE, 8},
      {"address", NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS, 8},
      {"byte", NVTX_PAYLOAD_ENTRY_TYPE_BYTE, 1},
      {"pid32", NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32, 4},
      {"pid64", NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64, 8},
      {"tid32", NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32, 4},
      {"tid64", NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64, 8},
  };
  uint8_t bytes[8];
  memset(bytes, 0xFE, sizeof bytes);
  for (size_t i = 0; i < COUNT(kTypes); ++i) {
    const nvtxPayloadSchemaEntry_t entry = {.type = kTypes[i].type, .name = "v"};
    mark(kTypes[i].name, schema_with(kStatic, 0, &entry, 1, kTypes[i].bytes), bytes,
         kTypes[i].bytes);
  }
  static const struct {
    const char* name;
    uint64_t type;
    uint64_t bits; /* of 1.5 */
    size_t bytes;
  } kFloats[] = {
      {"float", NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, 0x3FC00000, 4},
      {"double", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, 0x3FF8000000000000, 8},
      {"float16", NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16, 0x3E00, 2},
      {"float32", NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32, 0x3FC00000, 4},
      {"float64", NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64, 0x3FF8000000000000, 8},
      {"bf16", NVTX_PAYLOAD_ENTRY_TYPE_BF16, 0x3FC0, 2},
      {"tf32", NVTX_PAYLOAD_ENTRY_TYPE_TF32, 0x3FC00000, 4},
  };
  for (size_t i = 0; i < COUNT(kFloats); ++i) {
    const nvtxPayloadSchemaEntry_t entry = {.type = kFloats[i].type, .name = "v"};
    mark(kFloats[i].name, schema_with(kStatic, 0, &entry, 1, kFloats[i].bytes), &kFloats[i].bits,
         kFloats[i].bytes);
  }
  /* A type can stand for a schema. */
  const int32_t number = -5;
  mark("type alone", kInt32, &number, sizeof number);
  const double real = 0.5;
  mark("type alone, double", kDouble, &real, sizeof real);
  mark("text alone", kText, "some text", SIZE_MAX);
  mark("text alone, with its size", kText, "some text", 5);
  const nvtxStringHandle_t handle = nvtxDomainRegisterStringA(domain, "a registered one");
  mark("registered alone", NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, &handle,
       sizeof handle);
}

/* --- Structures. */

struct point {
  int32_t x, y;
};
static uint64_t point;

static void structures(void) {
  const nvtxPayloadSchemaEntry_t xy[] = {{.type = kInt32, .name = "x"},
                                         {.type = kInt32, .name = "y"}};
  point = schema_with(kStatic, 0, xy, 2, sizeof(struct point));
  const struct {
    struct point one;
    struct point three[3];
    int16_t numbers[4];
    nvtxStringHandle_t text;
  } row = {
      {1, 2}, {{3, 4}, {5, 6}, {7, 8}}, {-1, 2, -3, 4}, nvtxDomainRegisterStringA(domain, "reg")};
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.type = point, .name = "one"},
      {.flags = kFixed, .type = point, .name = "three", .arrayOrUnionDetail = 3},
      {.flags = kFixed, .type = kInt16, .name = "numbers", .arrayOrUnionDetail = 4},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, .name = "text"},
  };
  const uint64_t nested = schema_with(kStatic, 0, entries, COUNT(entries), sizeof row);
  mark("nested", nested, &row, sizeof row);
  mark("its size is its schema's", nested, &row, SIZE_MAX);
  mark("too short", nested, &row, sizeof row - 1);
  mark("of no bytes", nested, &row, 0);
  mark("nowhere", nested, NULL, sizeof row);

  const nvtxPayloadEnum_t bits[] = {{"read", 1, 1}, {"write", 2, 1}};
  nvtxPayloadEnumAttr_t access;
  memset(&access, 0, sizeof access);
  access.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
  access.entries = bits;
  access.numEntries = 2;
  access.sizeOfEnum = 1;
  access.schemaId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 100;
  CHECK(nvtxPayloadEnumRegister(domain, &access) == access.schemaId);
  const nvtxPayloadSchemaEntry_t by_access = {.type = access.schemaId, .name = "access"};
  const uint64_t with_access = schema_with(kStatic, 0, &by_access, 1, 1);
  const uint8_t both = 3, read = 1;
  mark("flags, both", with_access, &both, 1);
  mark("flags, one", with_access, &read, 1);
}

/* --- Texts and arrays. */

static void texts(void) {
  static const uint16_t kWide16[] = {'u', 0xFC, 0xD83D, 0xDE00, 0};
  static const uint32_t kWide32[] = {'u', 0xFC, 0x1F600, 0};
  const struct {
    const char *local, *utf8, *none;
    const uint16_t* utf16;
    const uint32_t* utf32;
    char fixed[8];
  } row = {"local", "utf8 \xC3\xBC", NULL, kWide16, kWide32, "12345678"};
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = kDeep, .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, .name = "local"},
      {.flags = kDeep, .type = kText, .name = "utf8"},
      {.flags = kDeep, .type = kText, .name = "none"},
      {.flags = kDeep, .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, .name = "utf16"},
      {.flags = kDeep, .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, .name = "utf32"},
      {.type = kText, .name = "fixed", .arrayOrUnionDetail = 8},
  };
  mark("texts", schema_with(kStatic, 0, entries, COUNT(entries), sizeof row), &row, sizeof row);

  /* In a dynamic schema they stand where they are. */
  const nvtxPayloadSchemaEntry_t one_by_one[] = {{.type = kText, .name = "first"},
                                                 {.type = kInt8, .name = "number"},
                                                 {.type = kText, .name = "last"}};
  static const char kBytes[] = "ab\0\7cde";
  mark("texts in a row", schema_with(kDynamic, 0, one_by_one, 3, 0), kBytes, sizeof kBytes);
}

struct lengths {
  uint64_t count;
  const int32_t* values;
  const struct point* points;
  const int16_t* ended;
};

static void arrays(void) {
  int32_t values[] = {10, 20, 30};
  struct point points[] = {{1, 2}, {3, 4}};
  int16_t ended[] = {5, 6, 0, 99};
  const struct lengths row = {3, values, points, ended};
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.type = kUint64, .name = "count"},
      {.flags = kPointer | kByIndex, .type = kInt32, .name = "values", .arrayOrUnionDetail = 0},
      {.flags = kPointer | kFixed, .type = point, .name = "points", .arrayOrUnionDetail = 2},
      {.flags = kPointer | kTerminated, .type = kInt16, .name = "ended"},
  };
  /* Of the schema, so that each pointer is meant. */
  mark(
      "arrays behind pointers",
      schema_with(kStatic, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, entries, COUNT(entries), sizeof row),
      &row, sizeof row);
  values[0] = points[0].x = ended[0] = 77; /* they were copied */

  const nvtxPayloadSchemaEntry_t inlined[] = {
      {.type = kUint32, .name = "count"},
      {.flags = kByIndex, .type = kInt16, .name = "values", .arrayOrUnionDetail = 0},
      {.type = kInt32, .name = "behind"},
  };
  struct {
    uint32_t count;
    int16_t values[4];
    int32_t behind;
  } dynamic = {4, {1, -2, 3, -4}, 99};
  const uint64_t inlined_id = schema_with(kDynamic, 0, inlined, COUNT(inlined), 0);
  mark("array in a row", inlined_id, &dynamic, sizeof dynamic);
  dynamic.count = 0;
  mark("no array in a row", inlined_id, &dynamic, 8);

  const nvtxPayloadSchemaEntry_t table[] = {
      {.flags = kFixed, .type = kUint32, .name = "size", .arrayOrUnionDetail = 2},
      {.flags = kByIndex, .type = kInt16, .name = "cells", .arrayOrUnionDetail = 0},
  };
  const struct {
    uint32_t size[2];
    int16_t cells[6];
  } cells = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  mark("table", schema_with(kDynamic, 0, table, 2, 0), &cells, sizeof cells);

  /* As long as another payload says. */
  const uint32_t length = 3;
  const nvtxPayloadSchemaEntry_t elsewhere = {
      .flags = kByPayload, .type = kInt32, .name = "values", .arrayOrUnionDetail = 0};
  const int32_t numbers[] = {7, 8, 9};
  const nvtxPayloadData_t two[] = {
      {kUint32, sizeof length, &length},
      {schema_with(kDynamic, 0, &elsewhere, 1, 0), sizeof numbers, numbers}};
  mark_all("array with its length elsewhere", two, 2);
}

static void offsets(void) {
  const struct {
    int64_t from_base, from_here;
    char first[4], second[4];
  } row = {16, 4, "abc", "def"};
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | kTerminated,
       .type = kText,
       .name = "from base"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE | kTerminated,
       .type = kText,
       .name = "from here"},
  };
  mark("offsets", schema_with(kDynamic, 0, entries, 2, 0), &row, sizeof row);
}

static void scopes(void) {
  nvtxScopeAttr_t attr = {sizeof attr, "machine[0]", NVTX_SCOPE_ROOT, 0};
  const uint64_t outer = nvtxScopeRegister(domain, &attr);
  attr.path = "disk";
  attr.parentScope = outer;
  attr.scopeId = NVTX_SCOPE_ID_STATIC_START + 7;
  CHECK(nvtxScopeRegister(domain, &attr) == attr.scopeId);
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK, .type = kInt64, .name = "time"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, .name = "scope"},
      {.type = kInt32, .name = "row"},
  };
  struct scoped {
    int64_t time;
    uint64_t scope;
    int32_t row;
  };
  const int64_t now = nvtxTimestampGet();
  const struct scoped rows[] = {
      {now, outer, 1}, {now, attr.scopeId, 2}, {now, NVTX_SCOPE_CURRENT_SW_PROCESS, 3}};
  nvtxEventBatch_t batch;
  memset(&batch, 0, sizeof batch);
  batch.eventSchemaId =
      schema_with(kStatic, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, entries, COUNT(entries), sizeof rows[0]);
  batch.events = rows;
  batch.size = sizeof rows;
  nvtxEventBatchSubmit(domain, &batch);
  const nvtxPayloadData_t one = {batch.eventSchemaId, sizeof rows[0], &rows[1]};
  nvtxEventSubmit(domain, &one, 1);
  events += 4;
  /* What happens now is in the row of its thread. */
  mark("scope alone", NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, &outer, sizeof outer);
}

static void unions(void) {
  const nvtxPayloadSchemaEntry_t members[] = {{.type = kInt64, .name = "whole"},
                                              {.type = kDouble, .name = "real"}};
  const uint64_t either =
      schema_with(NVTX_PAYLOAD_SCHEMA_TYPE_UNION, 0, members, COUNT(members), 8);
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_UINT8, .name = "which"},
      {.type = either, .name = "value", .arrayOrUnionDetail = 0, .offset = 8},
  };
  const uint64_t selected = schema_with(kStatic, 0, entries, COUNT(entries), 16);
  const struct {
    uint8_t which;
    double value;
  } row = {1, 2.5};
  mark("union", selected, &row, sizeof row);
}

/* --- Several payloads, and messages in them. */

static void several(void) {
  const int32_t first = 1, second = 2;
  const nvtxPayloadSchemaEntry_t a = {.type = kInt32, .name = "a"},
                                 b = {.type = kInt32, .name = "b"};
  const nvtxPayloadData_t two[] = {{schema_with(kStatic, 0, &a, 1, 4), 4, &first},
                                   {schema_with(kStatic, 0, &b, 1, 4), 4, &second}};
  mark_all("two", two, 2);
  mark_all("none of them", two, 0);
  mark_all("no array", NULL, 3);
  nvtxPayloadData_t many[200];
  for (size_t i = 0; i < COUNT(many); ++i) many[i] = two[0];
  mark_all("more than a record takes", many, COUNT(many));
  /* Ranges, too. */
  nvtxEventAttributes_t event = named("range of two");
  NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(event, two)
  CHECK(nvtxDomainRangePushEx(domain, &event) == 0);
  CHECK(nvtxRangePopPayload(domain, two, 1) == 0);
  const nvtxRangeId_t id = nvtxDomainRangeStartEx(domain, &event);
  CHECK(id != 0);
  nvtxRangeEndPayload(domain, id, two, 1);
  events += 4;
  const struct {
    const char* message;
    uint32_t color, category;
  } row = {"message of the payload", 0xFF00FF00, 5};
  const nvtxPayloadSchemaEntry_t attributes[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | kDeep, .type = kText, .name = "m"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, .name = "color"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, .name = "category"},
  };
  nvtxDomainNameCategoryA(domain, 5, "five");
  const nvtxPayloadData_t all = {schema_with(kStatic, 0, attributes, 3, sizeof row), sizeof row,
                                 &row};
  nvtxMarkPayload(domain, &all, 1);
  CHECK(nvtxRangePushPayload(domain, &all, 1) == 0);
  CHECK(nvtxDomainRangePop(domain) == 0);
  events += 3;
}

/* --- Deferred events. */

struct timed {
  int64_t begin, end;
  int32_t value, scope;
  const char* name;
};

static uint64_t deferred_schema(uint64_t kind, int has_end) {
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = kind == NVTX_PAYLOAD_SCHEMA_FLAG_MARK ? NVTX_PAYLOAD_ENTRY_FLAG_MARK
                                                      : NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN,
       .type = kInt64,
       .name = "begin"},
      {.flags = has_end ? NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END : 0, .type = kInt64, .name = "end"},
      {.type = kInt32, .name = "value"},
      {.type = kInt32, .name = "scope"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | kDeep, .type = kText, .name = "name"},
  };
  return schema_with(kStatic, kind, entries, COUNT(entries), sizeof(struct timed));
}

static void submit_batch(uint64_t schema, const struct timed* rows, size_t count, uint64_t flags,
                         uint64_t scope, const char* texts, size_t text_bytes) {
  nvtxEventBatch_t batch;
  memset(&batch, 0, sizeof batch);
  batch.eventSchemaId = schema;
  batch.scope = scope;
  batch.events = rows;
  batch.size = count * sizeof *rows;
  batch.flags = flags;
  batch.flexData = texts;
  batch.flexDataSize = text_bytes;
  nvtxEventBatchSubmit(domain, &batch);
  events += (int)count;
}

static void deferred(void) {
  const int64_t now = nvtxTimestampGet();
  const uint64_t marks = deferred_schema(NVTX_PAYLOAD_SCHEMA_FLAG_MARK, 0);
  const uint64_t nested = deferred_schema(NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP, 1);
  const uint64_t crossing = deferred_schema(NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND, 1);
  const struct timed row = {now, now + 5, 1, 0, "submitted"};
  const uint64_t schemas[] = {marks, nested, crossing};
  for (size_t i = 0; i < COUNT(schemas); ++i) {
    const nvtxPayloadData_t payload = {schemas[i], sizeof row, &row};
    nvtxEventSubmit(domain, &payload, 1);
    ++events;
  }
  const struct timed rows[] = {{now + 30, now + 40, 2, 0, "batch"},
                               {now + 10, now + 20, 3, 0, "batch"},
                               {now + 50, now + 60, 4, 0, "batch"}};
  submit_batch(marks, rows, 3, NVTX_BATCH_FLAG_UNSORTED, NVTX_SCOPE_NONE, NULL, 0);
  submit_batch(nested, rows, 3, NVTX_BATCH_FLAG_UNSORTED, NVTX_SCOPE_NONE, NULL, 0);
  submit_batch(crossing, rows, 3, NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY, NVTX_SCOPE_NONE, NULL, 0);
  submit_batch(marks, rows + 1, 2, NVTX_BATCH_FLAG_TIME_SORTED, NVTX_SCOPE_NONE, NULL, 0);

  nvtxScopeAttr_t attr = {sizeof attr, "gpu[1]/copy engine", NVTX_SCOPE_ROOT, 0};
  const uint64_t scope = nvtxScopeRegister(domain, &attr);
  CHECK(scope >= NVTX_SCOPE_ID_DYNAMIC_START);
  submit_batch(nested, rows + 1, 1, NVTX_BATCH_FLAG_TIME_SORTED_PER_SCOPE, scope, NULL, 0);

  /* What rows point to may be the batch's. */
  static char texts[] = "in the batch's data";
  const struct timed flexible = {now + 70, now + 80, 5, 0, texts + 3};
  submit_batch(nested, &flexible, 1, 0, NVTX_SCOPE_NONE, texts, sizeof texts);
}

/* --- Counters. */

static uint64_t counter_of(const char* name, uint64_t type) {
  nvtxCounterAttr_t attr;
  memset(&attr, 0, sizeof attr);
  attr.structSize = sizeof attr;
  attr.schemaId = type;
  attr.name = name;
  const uint64_t id = nvtxCounterRegister(domain, &attr);
  CHECK(id != NVTX_COUNTER_ID_NONE);
  return id;
}

static void counters(void) {
  static const struct {
    const char* name;
    uint64_t type;
    size_t bytes;
  } kTypes[] = {
      {"c int8", kInt8, 1},
      {"c uint8", NVTX_PAYLOAD_ENTRY_TYPE_UINT8, 1},
      {"c int16", kInt16, 2},
      {"c uint16", NVTX_PAYLOAD_ENTRY_TYPE_UINT16, 2},
      {"c int32", kInt32, 4},
      {"c uint32", kUint32, 4},
      {"c int64", kInt64, 8},
      {"c uint64", kUint64, 8},
      {"c size", NVTX_PAYLOAD_ENTRY_TYPE_SIZE, 8},
  };
  int64_t minus_two = -2;
  for (size_t i = 0; i < COUNT(kTypes); ++i) {
    const uint64_t id = counter_of(kTypes[i].name, kTypes[i].type);
    nvtxCounterSample(domain, id, &minus_two, kTypes[i].bytes);
    nvtxCounterSampleInt64(domain, id, 7);
    nvtxCounterSampleFloat64(domain, id, 2.0);
    events += 3;
  }
  /* With the time in each sample. */
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP, .type = kInt64, .name = "at"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER, .type = kInt64, .name = "a"},
      {.flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER, .type = kDouble, .name = "b"},
  };
  const int64_t now = nvtxTimestampGet();
  const struct {
    int64_t at, a;
    double b;
  } rows[] = {{now, 1, 0.5}, {now + 1, 2, 1.5}};
  const uint64_t group = counter_of(
      "timed",
      schema_with(kStatic, NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP, entries, 3, sizeof rows[0]));
  nvtxCounterBatch_t batch = {group, rows, sizeof rows, 0, NULL, 0};
  nvtxCounterBatchSubmit(domain, &batch);
  events += 2;
  const uint64_t none = counter_of("none", kInt64);
  nvtxCounterSampleNoValue(domain, none, NVTX_COUNTER_SAMPLE_ZERO);
  nvtxCounterSampleNoValue(domain, none, NVTX_COUNTER_SAMPLE_UNCHANGED);
  nvtxCounterSampleNoValue(domain, none, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
  events += 3;
}

int main(void) {
  domain = nvtxDomainCreateA("forms");
  numbers();
  structures();
  texts();
  arrays();
  offsets();
  unions();
  scopes();
  several();
  deferred();
  counters();
  printf("%d\n", events);
  return 0;
}
