/* SPDX-License-Identifier: Apache-2.0
 *
 * helper_calls LIBRARY JOURNAL: calls every function of NVIDIA's helper headers for producers and
 * writes a journal through LIBRARY. Compiled twice, as C99 and as C++20, since the headers are for
 * both; helpers_test.cc reads the journal and knows what has to be in it.
 *
 * Each text lies in a buffer that is overwritten after the call, so a backend that keeps a pointer
 * is caught. Exit code 0: each call returned what it should; else the line is on stderr. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

#include "nvtxw_helpers.h"

#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

#define OK(call) CHECK((call) == NVTXW_RESULT_SUCCESS)
#define REFUSED(call) CHECK((call) == NVTXW_RESULT_INVALID_ARGUMENT)

/* A call whose texts come from lent(), which are gone after it. */
#define OK_THEN_GONE(call) \
  do {                     \
    OK(call);              \
    forget_lent();         \
  } while (0)

static char lent_bytes[256];
static size_t lent_size;

static const char* lent(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = lent_bytes + lent_size;
  CHECK(lent_size + size <= sizeof lent_bytes);
  memcpy(copy, text, size);
  lent_size += size;
  return copy;
}

static void forget_lent(void) {
  memset(lent_bytes, '#', sizeof lent_bytes);
  lent_size = 0;
}

/* --- Loading. */

static int count_pairs(void* state, const char* key, const char* key_end, const char* value,
                       const char* value_end) {
  int* count = (int*)state;
  CHECK(key_end - key == 1 && value_end - value == 1 && *key - 'a' == *value - '0');
  return ++*count == 2; /* stop at the second */
}

static const nvtxwInterface_t* load(const char* library, nvtxwModuleHandle_t* module) {
  const nvtxwInterface_t* iface = NULL;
  const nvtxwInterface_t* same = NULL;
  nvtxwModuleHandle_t again = NULL;
  nvtxwGetInterface_t get_interface = NULL;
  const void* table = NULL;
  char message[200];
  int pairs = 0;

  nvtxwConsumeConfigString("a=0| b = 1 |#c=9|c=2", count_pairs, &pairs);
  CHECK(pairs == 2);

  CHECK(nvtxwLoadInterface("/no/such/library.so", &iface, module) ==
        NVTXW_RESULT_LIBRARY_NOT_FOUND);
  CHECK(nvtxwGetError(NVTXW_RESULT_LIBRARY_NOT_FOUND, message, sizeof message) > 0);
  CHECK(strstr(message, "/no/such/library.so") != NULL);
  REFUSED(nvtxwLoadInterface(library, NULL, module));

  OK(nvtxwLoadInterface(library, &iface, module));
  CHECK(setenv(NVTXW_LIBRARY_ENV_VAR, library, 1) == 0);
  OK(nvtxwLoadInterfaceDefault(&same, &again));
  CHECK(same == iface);
  nvtxwUnload(again);
  OK(nvtxwLoad(NULL, &get_interface, &again));
  CHECK(get_interface(NVTXW_INTERFACE_VERSION + 1, &table) ==
        NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED);
  nvtxwUnload(again);
  CHECK(NVTXW_INTERFACE_HAS(iface, TimestampConversionFactorWrite));
  return iface;
}

/* --- Events. */

static nvtxwEventAttributes_t registered(uint32_t color, uint32_t category,
                                         nvtxStringHandle_t message) {
  nvtxwEventAttributes_t attr;
  memset(&attr, 0, sizeof attr);
  attr.color = color;
  attr.category = category;
  attr.message = message;
  return attr;
}

static nvtxwEventAttributesUtf8_t text(uint32_t color, uint32_t category, const char* message,
                                       uint32_t length) {
  nvtxwEventAttributesUtf8_t attr;
  memset(&attr, 0, sizeof attr);
  attr.color = color;
  attr.category = category;
  attr.message = message == NULL ? NULL : lent(message);
  attr.messageLength = length;
  return attr;
}

static void write_text_events(const nvtxwEventWriter_t* w) {
  OK_THEN_GONE(nvtxwMarkWriteUtf8(w, 100, text(0xFF102030u, 7, "mark", 0)));
  OK_THEN_GONE(nvtxwMarkWriteUtf8(w, 101, text(0, 0, "cut here", 3)));
  OK_THEN_GONE(nvtxwMarkWriteUtf8(w, 102, text(0, 0, NULL, 0)));
  OK_THEN_GONE(nvtxwMarkWriteUtf8(w, 103, text(0, 0, "gr\xC3\xBC\xC3\x9F", 0)));
  OK_THEN_GONE(nvtxwRangePushPopWriteUtf8(w, 110, 150, text(1, 7, "push-pop", 0)));
  OK_THEN_GONE(nvtxwRangeStartEndWriteUtf8(w, 120, 160, text(2, 8, "start-end", 0)));
  OK_THEN_GONE(nvtxwRangePushWriteUtf8(w, 200, text(3, 0, "pushed", 0)));
  OK(nvtxwRangePopWrite(w, 210));
  OK_THEN_GONE(nvtxwRangeStartWriteUtf8(w, 220, 77, text(4, 0, "started", 0)));
  OK(nvtxwRangeEndWrite(w, 230, 77));
  REFUSED(nvtxwMarkWriteUtf8(NULL, 1, text(0, 0, "no writer", 0)));
  forget_lent();
}

static void write_registered_events(const nvtxwEventWriter_t* w, nvtxStringHandle_t string) {
  OK(nvtxwMarkWrite(w, 300, registered(0xFF102030u, 7, string)));
  OK(nvtxwMarkWrite(w, 301, registered(0, 0, NULL)));
  OK(nvtxwRangePushPopWrite(w, 310, 350, registered(1, 7, string)));
  OK(nvtxwRangeStartEndWrite(w, 320, 360, registered(2, 8, string)));
  OK(nvtxwRangePushWrite(w, 400, registered(3, 0, string)));
  OK(nvtxwRangePopWrite(w, 410));
  OK(nvtxwRangeStartWrite(w, 420, 78, registered(4, 0, string)));
  OK(nvtxwRangeEndWrite(w, 430, 78));
  REFUSED(nvtxwMarkWrite(NULL, 1, registered(0, 0, string)));
}

/* --- Counters. */

static void write_counters(const nvtxwInterface_t* iface, nvtxDomainHandle_t domain,
                           nvtxwStreamHandle_t stream) {
  uint64_t whole = 0, real = 0, small = 0;
  const uint16_t value = 65535;
  OK_THEN_GONE(nvtxwCounterInt64Register(iface, domain, lent("whole"), NULL, &whole));
  OK_THEN_GONE(nvtxwCounterFloat64Register(iface, domain, lent("real"), NULL, &real));
  OK_THEN_GONE(nvtxwCounterRegister(iface, domain, lent("small"), NVTX_PAYLOAD_ENTRY_TYPE_UINT16,
                                    NULL, &small));
  CHECK(whole >= NVTX_COUNTER_ID_DYNAMIC_START && real != whole && small != real);
  OK(nvtxwCounterInt64Write(iface, stream, 500, whole, INT64_MIN));
  OK(nvtxwCounterInt64Write(iface, stream, 501, whole, INT64_MAX));
  OK(nvtxwCounterFloat64Write(iface, stream, 502, real, 0.125));
  OK(iface->CounterWrite(stream, 503, small, &value, sizeof value));
  REFUSED(nvtxwCounterRegister(iface, domain, "no schema", 0, NULL, &small));
  REFUSED(nvtxwCounterInt64Write(iface, NULL, 500, whole, 1));
}

/* --- The session. */

static nvtxwSessionHandle_t begin(const nvtxwInterface_t* iface, const char* journal) {
  nvtxwSessionAttributes_t attr;
  nvtxwSessionHandle_t session = NULL;
  char config[4096];
  CHECK(snprintf(config, sizeof config, "# comment|format=journal\noutput=%s|unknown=ignored",
                 journal) < (int)sizeof config);
  REFUSED(nvtxwSessionAttributesInit(NULL));
  OK(nvtxwSessionAttributesInit(&attr));
  attr.name = lent("helpers");
  attr.configString = config;
  OK_THEN_GONE(iface->SessionBegin(&attr, &session));
  memset(config, '#', sizeof config);
  return session;
}

static void use_domain(const nvtxwInterface_t* iface, nvtxwSessionHandle_t session) {
  nvtxDomainHandle_t domain = NULL, same = NULL, other = NULL;
  nvtxwDomainAttributes_t domain_attr;
  nvtxwStreamAttributes_t stream_attr;
  nvtxwStreamHandle_t counters = NULL, plain = NULL;
  nvtxwEventHelperSchemaIds_t ids;
  nvtxwEventWriter_t texts, strings;
  nvtxStringHandle_t string = NULL;
  uint64_t time_domain = 0, scope = 0;

  OK_THEN_GONE(nvtxwDomainRegister(iface, session, lent("helper domain"), &domain));
  OK(nvtxwDomainAttributesInit(&domain_attr));
  domain_attr.name = lent("helper domain");
  OK_THEN_GONE(iface->DomainRegister(session, &domain_attr, &same));
  CHECK(same == domain);
  OK(nvtxwDomainRegister(iface, session, NULL, &other));
  CHECK(other != domain);

  OK_THEN_GONE(nvtxwCategoryRegister(iface, domain, 7, lent("seven")));
  REFUSED(nvtxwCategoryRegister(iface, domain, 0, "none"));
  OK(nvtxwTimeDomainRegister(iface, domain, NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC,
                             &time_domain));
  CHECK(time_domain >= NVTX_TIME_DOMAIN_ID_DYNAMIC_START);
  OK_THEN_GONE(nvtxwScopeRegister(iface, domain, lent("machine[1]/counters"), &scope));
  CHECK(scope >= NVTX_SCOPE_ID_DYNAMIC_START);
  OK_THEN_GONE(iface->StringRegister(domain, lent("registered text"), &string));

  /* One stream with everything in one call, one step by step, one without helpers. */
  OK_THEN_GONE(nvtxwEventWriterOpen(iface, session, lent("texts"), domain, lent("gpu[0]/queue"),
                                    time_domain, &texts));
  write_text_events(&texts);

  OK_THEN_GONE(nvtxwStreamOpen(iface, session, lent("strings"), domain, NULL, time_domain, &plain));
  OK(nvtxwEventSchemasRegister(
      iface, domain, NVTXW_EVENT_HELPER_SCHEMA_ALL & ~NVTXW_EVENT_HELPER_SCHEMA_MARK_UTF8, &ids));
  CHECK(ids.markUtf8 == 0 && ids.eventMessageUtf8 != 0);
  REFUSED(nvtxwEventSchemasRegister(iface, domain, 1u << 12, &ids));
  OK(nvtxwEventSchemasRegister(iface, domain, NVTXW_EVENT_HELPER_SCHEMA_ALL, &ids));
  OK(nvtxwEventWriterInit(&strings, iface, plain, &ids));
  write_registered_events(&strings, string);
  OK(iface->StreamClose(plain));

  OK(nvtxwStreamAttributesInit(&stream_attr));
  stream_attr.name = lent("counters");
  stream_attr.domain = domain;
  stream_attr.scopeId = scope;
  stream_attr.timeDomainId = time_domain;
  OK_THEN_GONE(iface->StreamOpen(session, &stream_attr, &counters));
  write_counters(iface, domain, counters);
}

int main(int count, char** arguments) {
  nvtxwModuleHandle_t module = NULL;
  const nvtxwInterface_t* iface;
  nvtxwSessionHandle_t session;
  if (count != 3) {
    fprintf(stderr, "usage: helper_calls LIBRARY JOURNAL\n");
    return 2;
  }
  iface = load(arguments[1], &module);
  session = begin(iface, arguments[2]);
  use_domain(iface, session);
  OK(iface->SessionEnd(session));
  nvtxwUnload(module);
  return 0;
}
