// SPDX-License-Identifier: Apache-2.0
//
// Builders of schemas and payloads for the tests of the model.
//
//   SchemaBuilder schema(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC);
//   schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "items");
//   definitions.add_schema(0, schema.attr());
//   Blob blob;
//   blob.put<int32_t>(64);
//
// Lifetime: attr() points into the builder.
#ifndef RINGSCRIBE_BACKENDS_MODEL_TEST_SCHEMAS_H_
#define RINGSCRIBE_BACKENDS_MODEL_TEST_SCHEMAS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {

struct EntryOptions {
  uint64_t flags = 0;
  uint64_t detail = 0;
  uint64_t offset = 0;
  const nvtxSemanticsHeader_t* semantics = nullptr;
};

class SchemaBuilder {
 public:
  explicit SchemaBuilder(uint64_t id, uint64_t type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                         uint64_t flags = 0)
      : attr_() {
    attr_.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
    attr_.schemaId = id;
    attr_.type = type;
    attr_.flags = flags;
  }

  SchemaBuilder& name(const char* text) {
    attr_.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME;
    attr_.name = text;
    return *this;
  }
  SchemaBuilder& size(size_t bytes) {
    attr_.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attr_.payloadStaticSize = bytes;
    return *this;
  }
  SchemaBuilder& pack(size_t bytes) {
    attr_.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT;
    attr_.packAlign = bytes;
    return *this;
  }
  SchemaBuilder& entry(uint64_t type, const char* name, const EntryOptions& options = {}) {
    nvtxPayloadSchemaEntry_t added = {};
    added.flags = options.flags;
    added.type = type;
    added.name = name;
    added.arrayOrUnionDetail = options.detail;
    added.offset = options.offset;
    added.semantics = options.semantics;
    entries_.push_back(added);
    return *this;
  }
  const nvtxPayloadSchemaAttr_t& attr() {
    attr_.entries = entries_.data();
    attr_.numEntries = entries_.size();
    return attr_;
  }

 private:
  nvtxPayloadSchemaAttr_t attr_;
  std::vector<nvtxPayloadSchemaEntry_t> entries_;
};

// Bytes put one after the other, without padding.
class Blob {
 public:
  template <typename T>
  Blob& put(const T& value) {
    return put_bytes(&value, sizeof(value));
  }
  Blob& text(std::string_view characters) {
    return put_bytes(characters.data(), characters.size());
  }
  Blob& zeros(size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  size_t size() const { return bytes_.size(); }
  const std::byte* data() const { return bytes_.data(); }
  nvtxPayloadData_t payload(uint64_t schema) const {
    return {schema, bytes_.size(), bytes_.data()};
  }

 private:
  Blob& put_bytes(const void* data, size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
    return *this;
  }
  std::vector<std::byte> bytes_;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_TEST_SCHEMAS_H_
