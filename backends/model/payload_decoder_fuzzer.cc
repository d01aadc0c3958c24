// SPDX-License-Identifier: Apache-2.0
//
// Any schema over any payload. The input makes an enum, a few schemas that nest each other, the
// payloads of one event, and addresses that are put into them; the event is decoded as an event or
// as rows of a batch. Each payload is a heap block of its exact size, so a sanitizer sees every
// read outside of it. All text that comes out must be valid UTF-8, and what is accepted at
// registration must have the layout that registration computed.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/payload_decoder.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"
#include "ringscribe/backends/nvtxw/schema_layout.h"
#include "ringscribe/backends/nvtxw/utf8.h"

using namespace ringscribe;
using namespace ringscribe::model;

namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kSchemasMax = 4;
constexpr uint64_t kEnum = kId + kSchemasMax;

// A block that ends where the payload ends.
struct Block {
  explicit Block(const std::vector<std::byte>& from)
      : data(new std::byte[from.size()]), size(from.size()) {
    if (size != 0) std::memcpy(data.get(), from.data(), size);
  }
  Bytes bytes() const { return {data.get(), size}; }
  std::unique_ptr<std::byte[]> data;
  size_t size;
};

struct Fuzzed {
  explicit Fuzzed(FuzzInput& from) : input(from) {}

  FuzzInput& input;
  Definitions definitions;
  Problems problems;
  PayloadDecoder decoder{definitions, problems};
  nvtxw::NestedTypes types;
  std::vector<Block> blocks;

  void add_enumeration() {
    static constexpr size_t kSizes[] = {1, 2, 4, 8, 3, 0};
    const nvtxPayloadEnum_t entries[] = {{"one", 1, 0}, {"flag", input.byte(), 1}, {"B", 8, 1}};
    nvtxPayloadEnumAttr_t attr = {};
    attr.fieldMask = 0x3E;
    attr.entries = entries;
    attr.numEntries = 3;
    attr.sizeOfEnum = kSizes[input.below(std::size(kSizes))];
    attr.schemaId = kEnum;
    definitions.add_enumeration(0, attr);
    const size_t size = attr.sizeOfEnum;
    if (size != 3 && size != 0) {
      types[kEnum] = {size, size, static_cast<uint32_t>(size), true, true, false, false};
    }
  }

  nvtxPayloadSchemaEntry_t entry(uint64_t schemas, nvtxSemanticsScope_t* semantics) {
    nvtxPayloadSchemaEntry_t result = {};
    result.flags = input.number<uint16_t>();
    const uint8_t type = input.byte();
    result.type = type < 110                   ? type
                  : type < 200 && schemas != 0 ? kId + type % schemas
                  : type < 230                 ? kEnum
                                               : uint64_t{NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8};
    result.name = input.flag() ? "e" : nullptr;
    result.arrayOrUnionDetail = input.length();
    result.offset = input.below(4) == 0 ? input.length() : 0;
    if (input.below(8) == 0) {
      semantics->header = {sizeof(*semantics), NVTX_SEMANTIC_ID_SCOPE_V1, 1, nullptr};
      semantics->scopeId = input.byte();
      result.semantics = &semantics->header;
    }
    return result;
  }

  void add_schema(uint64_t index) {
    std::vector<nvtxPayloadSchemaEntry_t> entries(input.below(9));
    std::vector<nvtxSemanticsScope_t> semantics(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) entries[i] = entry(index, &semantics[i]);
    nvtxPayloadSchemaAttr_t attr = {};
    attr.fieldMask = 0x1FE;
    attr.name = input.flag() ? "schema" : "";
    attr.type = 1 + input.below(4);
    attr.flags = input.number<uint16_t>();
    attr.entries = entries.data();
    attr.numEntries = entries.size();
    attr.payloadStaticSize = input.below(4) == 0 ? input.length() : 0;
    attr.packAlign = input.below(4) == 0 ? input.length() : 0;
    attr.schemaId = kId + index;
    const Schema& compiled = definitions.add_schema(0, attr);
    Result<nvtxw::SchemaLayout> layout = nvtxw::compute_schema_layout(attr, types);
    if (!layout.ok()) return;
    types[attr.schemaId] = *layout;
    // The decoder cuts sizes and offsets there: there are no such payloads.
    constexpr uint64_t kMost = uint64_t{1} << 40;
    if (layout->is_fixed) {
      fuzz_require(compiled.size == std::min(layout->size, kMost),
                   "a payload has the size that was registered");
    }
    for (size_t i = 0; i < entries.size(); ++i) {
      const Step& step = compiled.steps[i];
      fuzz_require(step.has_offset == layout->entries[i].offset_known,
                   "an offset is known to both");
      fuzz_require(!step.has_offset || step.offset == std::min(layout->entries[i].offset, kMost),
                   "an entry has the offset that was registered");
    }
  }

  // Addresses into the blocks, or beside them.
  void put_addresses() {
    for (uint64_t count = input.below(8); count > 0 && !blocks.empty(); --count) {
      const Block& at = blocks[input.below(256) % blocks.size()];
      const Block& target = blocks[input.below(256) % blocks.size()];
      const uint64_t position = input.byte();
      const uint64_t address = reinterpret_cast<uintptr_t>(target.data.get()) + input.length();
      if (position + sizeof(address) <= at.size) {
        std::memcpy(at.data.get() + position, &address, sizeof(address));
      }
    }
  }

  void check(std::span<const Field> fields) {
    for (const Field& field : fields) {
      fuzz_require(nvtxw::is_valid_utf8(field.name), "a field's name is UTF-8");
      fuzz_require(field.value.kind != ValueKind::kText || nvtxw::is_valid_utf8(field.value.text),
                   "a field's text is UTF-8");
      check(field.value.children);
    }
  }
  void check(const DecodedEvent& event) {
    fuzz_require(nvtxw::is_valid_utf8(event.message), "a message is UTF-8");
    check(event.fields);
    (void)times_of(event);
  }

  void decode_event() {
    std::vector<nvtxPayloadData_t> payloads;
    for (const Block& block : blocks) {
      const uint8_t kind = input.byte();
      const uint64_t schema = kind < 110   ? kind
                              : kind < 240 ? kId + kind % (kSchemasMax + 1)
                              : kind < 250 ? uint64_t{NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED}
                                           : uint64_t{NVTX_TYPE_PAYLOAD_SCHEMA_RAW};
      payloads.push_back({schema, block.size, block.data.get()});
    }
    check(decoder.decode(0, payloads));
  }

  void decode_rows() {
    const Schema* schema = definitions.schema(0, kId + input.below(kSchemasMax));
    if (schema == nullptr || blocks.empty()) return;
    BatchData batch;
    batch.rows = blocks[0].bytes();
    if (blocks.size() > 1) {
      batch.flex_base = blocks[1].data.get();
      const size_t skipped = blocks[1].size == 0 ? 0 : input.below(blocks[1].size);
      batch.flex = blocks[1].bytes().subspan(skipped);
    }
    Bytes rest = batch.rows;
    for (int rows = 0; rows < 64 && !rest.empty(); ++rows) {
      size_t size = 0;
      check(decoder.decode_row(*schema, rest, batch, size));
      if (size == 0 || size > rest.size()) return;
      rest = rest.subspan(size);
    }
  }

  void run() {
    add_enumeration();
    for (uint64_t i = 0, count = 1 + input.below(kSchemasMax); i < count; ++i) add_schema(i);
    definitions.add_string(77, "registered");
    for (uint64_t count = 1 + input.below(4); count > 0; --count) {
      blocks.emplace_back(input.bytes(input.byte()));
    }
    put_addresses();
    // An address that the input made up is the file's, not a producer's.
    decoder.bound_deep_copies(blocks.back().bytes());
    if (input.flag()) {
      decode_event();
    } else {
      decode_rows();
    }
  }
};

}  // namespace

std::vector<std::string> ringscribe::fuzz_seeds() { return {}; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  Fuzzed(input).run();
  return 0;
}
