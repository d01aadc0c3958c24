/* SPDX-License-Identifier: Apache-2.0
 *
 * A C program that carries NVTX calls and knows of no tool: the primes below a bound, found by
 * several threads.
 *
 *   ringscribe run -- ./primes 2000000
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 4, kBlock = 50000 };

struct block {
  int64_t first, last, primes;
};

static nvtxDomainHandle_t domain;
static uint64_t block_schema, found_counter;
static int64_t bound, next_first = 2, found;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void register_all(void) {
  const nvtxPayloadSchemaEntry_t entries[] = {
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "first"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "last"},
      {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "primes"},
  };
  nvtxPayloadSchemaAttr_t schema = {
      .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
      .name = "block",
      .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
      .entries = entries,
      .numEntries = 3,
      .payloadStaticSize = sizeof(struct block),
  };
  const nvtxCounterAttr_t counter = {
      .structSize = sizeof counter, .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "found"};
  domain = nvtxDomainCreateA("primes");
  nvtxDomainNameCategoryA(domain, 1, "search");
  block_schema = nvtxPayloadSchemaRegister(domain, &schema);
  found_counter = nvtxCounterRegister(domain, &counter);
}

static int is_prime(int64_t number) {
  for (int64_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return 0;
  return 1;
}

/* Takes the next block; 0 if there is none. */
static int take(struct block* block) {
  pthread_mutex_lock(&mutex);
  block->first = next_first;
  block->last = next_first + kBlock < bound ? next_first + kBlock : bound;
  next_first = block->last;
  pthread_mutex_unlock(&mutex);
  return block->first < block->last;
}

static void* search(void* unused) {
  nvtxEventAttributes_t attributes = {.version = NVTX_VERSION,
                                      .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                      .category = 1,
                                      .colorType = NVTX_COLOR_ARGB,
                                      .color = 0xFF3DA35D,
                                      .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                      .message.ascii = "block"};
  struct block block;
  while (take(&block)) {
    nvtxDomainRangePushEx(domain, &attributes);
    block.primes = 0;
    for (int64_t number = block.first; number < block.last; ++number)
      block.primes += is_prime(number);
    const nvtxPayloadData_t payload = {block_schema, sizeof block, &block};
    nvtxRangePopPayload(domain, &payload, 1); /* what was found is known at the end only */
    pthread_mutex_lock(&mutex);
    nvtxCounterSampleInt64(domain, found_counter, found += block.primes);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(int count, char** arguments) {
  pthread_t threads[kThreads];
  bound = count > 1 ? atoll(arguments[1]) : 1000000;
  register_all();
  nvtxRangePushA("all primes");
  for (int i = 0; i < kThreads; ++i)
    if (pthread_create(&threads[i], NULL, search, NULL) != 0) return 1;
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  nvtxRangePop();
  printf("%lld primes below %lld\n", (long long)found, (long long)bound);
  return 0;
}
