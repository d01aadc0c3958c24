// SPDX-License-Identifier: Apache-2.0
//
// Payloads that lie. Run under asan (bazel test --config=asan): a read outside of a payload ends
// the test, because each payload here is a heap block of exactly its size.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/payload_decoder.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/model/test_schemas.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {
namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kDynamic = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
constexpr uint64_t kFixed = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
constexpr uint64_t kZero = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
constexpr uint64_t kLength = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX;
constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
constexpr uint64_t kUtf8 = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;

// The bytes in a block of their own, so that the one behind them belongs to nobody.
struct Exact {
  Exact(const std::byte* from, size_t count) : data(new std::byte[count]), size(count) {
    if (count != 0) std::memcpy(data.get(), from, count);
  }
  nvtxPayloadData_t payload(uint64_t schema) const { return {schema, size, data.get()}; }
  std::unique_ptr<std::byte[]> data;
  size_t size;
};

// One of everything that takes part in finding out where something is.
void add_schemas(Definitions& definitions) {
  SchemaBuilder inner(kId, kDynamic);
  inner.name("inner").entry(kUtf8, "text", {.flags = kZero});
  inner.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "n");
  definitions.add_schema(0, inner.attr());
  SchemaBuilder choice(kId + 1, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR);
  choice.entry(NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR, "which")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "number")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, "text", {.detail = 2});
  definitions.add_schema(0, choice.attr());
  SchemaBuilder all(kId + 2, kDynamic);
  all.entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "length")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT16, "array", {.flags = kLength, .detail = 0})
      .entry(kId, "nested")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, "wide", {.flags = kZero})
      .entry(kId + 1, "choice")
      .entry(kUtf8, "pointer", {.flags = kPointer | kZero})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "base",
             {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | kFixed, .detail = 2})
      .entry(kUtf8, "here", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE | kZero})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT128, "big")
      .entry(kUtf8, "tail", {.flags = kZero});
  definitions.add_schema(0, all.attr());
}

Blob good_payload() {
  Blob blob;
  blob.put<uint8_t>(2).zeros(1).put<uint16_t>(1).put<uint16_t>(2);
  blob.text(std::string_view("in\0", 3)).zeros(3).put<int32_t>(5);
  blob.put(U'w').put(char32_t{0}).put<uint8_t>(2).zeros(7).put(u'o').put(u'k').zeros(4);
  return blob.put<uint64_t>(0).put<uint64_t>(8).put<uint64_t>(0).zeros(16).text("end");
}

TEST_CASE("a payload cut at any byte is decoded as far as it goes") {
  Definitions definitions;
  add_schemas(definitions);
  const Blob whole = good_payload();
  for (size_t size = 0; size <= whole.size(); ++size) {
    INFO("size " << size);
    Problems problems;
    PayloadDecoder decoder(definitions, problems);
    const Exact cut(whole.data(), size);
    const std::vector payloads{cut.payload(kId + 2)};
    const std::string fields = show(decoder.decode(0, payloads).fields);
    if (size > 0) CHECK(fields.starts_with("length=2"));
    if (size >= 6) CHECK(fields.starts_with("length=2u array=[1u 2u]"));
    // Up to byte 80 an entry is missing; behind it only the text at the end is shorter.
    CHECK(problems.all().empty() == (size == 0 || size >= 80));
    if (size == whole.size()) CHECK(fields.ends_with("big='0' tail='end'"));
  }
}

TEST_CASE("a row cut at any byte reads nothing behind it") {
  Definitions definitions;
  add_schemas(definitions);
  const Blob whole = good_payload();
  for (size_t size = 1; size <= whole.size(); ++size) {
    Problems problems;
    PayloadDecoder decoder(definitions, problems);
    const Exact cut(whole.data(), size);
    const Bytes bytes{cut.data.get(), cut.size};
    size_t used = 0;
    decoder.decode_row(*definitions.schema(0, kId + 2), bytes, {.rows = bytes}, used);
    CHECK(used <= size);
  }
}

TEST_CASE("any byte may have any value") {
  Definitions definitions;
  add_schemas(definitions);
  Problems problems;
  PayloadDecoder decoder(definitions, problems);
  const Blob whole = good_payload();
  std::mt19937 random(4711);
  for (int round = 0; round < 20000; ++round) {
    const size_t size = random() % (whole.size() + 1);
    Exact bytes(whole.data(), size);
    for (uint32_t changes = random() % 8; size > 0 && changes > 0; --changes) {
      bytes.data[random() % size] = static_cast<std::byte>(random());
    }
    const std::vector payloads{bytes.payload(kId + 2), bytes.payload(kUtf8)};
    CHECK_NOTHROW(show(decoder.decode(0, payloads).fields));
  }
}

TEST_CASE("schemas made at random are compiled and decode anything") {
  std::mt19937_64 random(4712);
  const Blob whole = good_payload();
  for (int round = 0; round < 3000; ++round) {
    Definitions definitions;
    Problems problems;
    for (uint64_t id = kId; id < kId + 4; ++id) {
      SchemaBuilder schema(id, random() % 5, random() % 512);
      if (random() % 4 == 0) schema.size(random() % 64);
      if (random() % 4 == 0) schema.pack(random() % 17);
      for (uint64_t entries = random() % 6; entries > 0; --entries) {
        const uint64_t type = random() % 3 == 0 ? kId + random() % 4 : random() % 102;
        // Deep copies are the producer's promise, which random bytes cannot keep; and so is text
        // that is neither an array nor of fixed length, which becomes none in here.
        const uint64_t flags = random() & 0x7FFE & ~uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY};
        const uint64_t huge = random() % 8 == 0 ? UINT64_MAX >> (random() % 64) : random() % 5;
        schema.entry(type, "e",
                     {.flags = flags, .detail = huge, .offset = random() % 4 == 0 ? huge : 0});
      }
      definitions.add_schema(0, schema.attr());
    }
    PayloadDecoder decoder(definitions, problems);
    const Exact bytes(whole.data(), random() % whole.size());
    std::vector<nvtxPayloadData_t> payloads;
    for (uint64_t id = kId; id < kId + 4; ++id) payloads.push_back(bytes.payload(id));
    CHECK_NOTHROW(show(decoder.decode(0, payloads).fields));
    size_t used = 0;
    const Bytes row{bytes.data.get(), bytes.size};
    decoder.decode_row(*definitions.schema(0, kId + 3), row, {.rows = row}, used);
  }
}

TEST_CASE("a few bytes cannot ask for more than the budget of values") {
  Definitions definitions;
  SchemaBuilder leaf(kId);
  leaf.name("leaf").entry(NVTX_PAYLOAD_ENTRY_TYPE_INT8, "v");
  definitions.add_schema(0, leaf.attr());
  // Each level points 16 times to the level below: 16^8 leaves, in a payload of 128 bytes.
  uint64_t below = kId;
  for (uint64_t id = kId + 1; id <= kId + 8; ++id) {
    SchemaBuilder level(id);
    level.name("level");
    for (int i = 0; i < 16; ++i) level.entry(below, "p", {.flags = kPointer});
    definitions.add_schema(0, level.attr());
    below = id;
  }
  std::vector<uint64_t> pointers(16);
  for (uint64_t& pointer : pointers) pointer = reinterpret_cast<uintptr_t>(pointers.data());
  Problems problems;
  PayloadDecoder decoder(definitions, problems);
  const std::vector<nvtxPayloadData_t> payloads{{below, 128, pointers.data()}};
  decoder.decode(0, payloads);
  CHECK(problems.all().size() == 1);
  CHECK(problems.all().begin()->first.starts_with("An event has more than 262144 values"));
}

TEST_CASE("schemas nested deeper than the limit are refused, not followed") {
  Definitions definitions;
  for (uint64_t id = kId; id < kId + 1000; ++id) {
    SchemaBuilder schema(id);
    schema.name("deep");
    if (id == kId) {
      schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT8, "v");
    } else {
      schema.entry(id - 1, "n");
    }
    definitions.add_schema(0, schema.attr());
  }
  Problems problems;
  PayloadDecoder decoder(definitions, problems);
  const std::vector<nvtxPayloadData_t> payloads{{kId + 20, 1, "x"}, {kId + 999, 1, "x"}};
  const std::string fields = show(decoder.decode(0, payloads).fields);
  CHECK(fields.find("v=120") != std::string::npos);
  CHECK(problems.all().size() == 1);
}

TEST_CASE("the list of problems stays short, and counts them all") {
  Problems problems;
  for (int i = 0; i < 10000; ++i) problems.add("Problem " + std::to_string(i) + ".");
  uint64_t total = 0;
  for (const auto& [sentence, count] : problems.all()) total += count;
  CHECK(total == 10000);
  CHECK(problems.all().size() <= Problems::kSentencesMax + 1);
}

}  // namespace
}  // namespace ringscribe::model
