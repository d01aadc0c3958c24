// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/definition_codec.h"

#include <cwchar>

namespace ringscribe::journal {
namespace {

// A chain longer than this is taken for a ring.
constexpr uint32_t kSemanticsMax = 64;

// --- Semantics: a count, then {id, version, bytes} and the fields of each that is known.

template <typename Codec>
void fields(Codec& codec, nvtxSemanticsCounter_t& counter) {
  codec.number(counter.flags);
  codec.text(counter.unit);
  codec.number(counter.unitScaleNumerator);
  codec.number(counter.unitScaleDenominator);
  codec.number(counter.limitType);
  codec.number(counter.min);
  codec.number(counter.max);
}

template <typename Codec>
void fields(Codec& codec, nvtxSemanticsScope_t& scope) {
  codec.number(scope.scopeId);
}

template <typename Codec>
void fields(Codec& codec, nvtxSemanticsTime_t& time) {
  codec.number(time.timeDomainId);
}

// A struct of an older, shorter version is filled up with zeros.
template <typename T>
void encode_one(Encoder& encoder, const nvtxSemanticsHeader_t& header) {
  T copy = {};
  std::memcpy(static_cast<void*>(&copy), &header,
              header.structSize < sizeof(T) ? header.structSize : sizeof(T));
  Encoder body;
  fields(body, copy);
  encoder.number(header.semanticId);
  encoder.number(header.version);
  encoder.number(static_cast<uint32_t>(body.bytes().size()));
  for (const std::byte byte : body.bytes()) encoder.number(byte);
}

bool is_known(const nvtxSemanticsHeader_t& header) {
  return header.structSize >= sizeof(nvtxSemanticsHeader_t) &&
         (header.semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1 ||
          header.semanticId == NVTX_SEMANTIC_ID_SCOPE_V1 ||
          header.semanticId == NVTX_SEMANTIC_ID_TIME_V1);
}

uint64_t encode_chain(Encoder& encoder, const nvtxSemanticsHeader_t* chain) {
  uint32_t all = 0;
  uint32_t known = 0;
  for (const auto* it = chain; it != nullptr && all < kSemanticsMax; it = it->next) {
    ++all;
    if (is_known(*it)) ++known;
  }
  encoder.number(known);
  const nvtxSemanticsHeader_t* it = chain;
  for (uint32_t i = 0; i < all; ++i, it = it->next) {
    if (!is_known(*it)) continue;
    switch (it->semanticId) {
      case NVTX_SEMANTIC_ID_COUNTERS_V1:
        encode_one<nvtxSemanticsCounter_t>(encoder, *it);
        break;
      case NVTX_SEMANTIC_ID_SCOPE_V1:
        encode_one<nvtxSemanticsScope_t>(encoder, *it);
        break;
      case NVTX_SEMANTIC_ID_TIME_V1:
        encode_one<nvtxSemanticsTime_t>(encoder, *it);
        break;
    }
  }
  return (all - known) + (it != nullptr ? 1u : 0u);
}

template <typename T>
nvtxSemanticsHeader_t* decode_one(Decoder& decoder, Decoder& body, uint16_t id, uint16_t version) {
  T& semantics = decoder.make<T>();
  fields(body, semantics);
  if (!body.ok()) decoder.fail();
  semantics.header.structSize = sizeof(T);
  semantics.header.semanticId = id;
  semantics.header.version = version;
  return &semantics.header;
}

const nvtxSemanticsHeader_t* decode_chain(Decoder& decoder) {
  uint32_t count = 0;
  decoder.number(count);
  const nvtxSemanticsHeader_t* first = nullptr;
  nvtxSemanticsHeader_t* last = nullptr;
  for (uint32_t i = 0; i < count && decoder.ok(); ++i) {
    uint16_t id = 0;
    uint16_t version = 0;
    uint32_t bytes = 0;
    decoder.number(id);
    decoder.number(version);
    decoder.number(bytes);
    Decoder body = decoder.part(bytes);
    nvtxSemanticsHeader_t* one = nullptr;
    switch (id) {
      case NVTX_SEMANTIC_ID_COUNTERS_V1:
        one = decode_one<nvtxSemanticsCounter_t>(decoder, body, id, version);
        break;
      case NVTX_SEMANTIC_ID_SCOPE_V1:
        one = decode_one<nvtxSemanticsScope_t>(decoder, body, id, version);
        break;
      case NVTX_SEMANTIC_ID_TIME_V1:
        one = decode_one<nvtxSemanticsTime_t>(decoder, body, id, version);
        break;
      default:
        continue;  // of a newer minor version
    }
    if (last == nullptr) {
      first = one;
    } else {
      last->next = one;
    }
    last = one;
  }
  return first;
}

// One spelling for both ways; `*skipped` counts what was left out on the way in.
void chain(Encoder& encoder, const nvtxSemanticsHeader_t*& head, uint64_t* skipped) {
  *skipped += encode_chain(encoder, head);
}
void chain(Decoder& decoder, const nvtxSemanticsHeader_t*& head, uint64_t*) {
  head = decode_chain(decoder);
}

// --- The attribute structs.

template <typename Codec>
void fields(Codec& codec, nvtxScopeAttr_t& attr, uint64_t*) {
  codec.text(attr.path);
  codec.number(attr.parentScope);
  codec.number(attr.scopeId);
  if constexpr (Codec::kDecodes) attr.structSize = sizeof(attr);
}

template <typename Codec>
void fields(Codec& codec, nvtxPayloadSchemaAttr_t& attr, uint64_t* skipped) {
  codec.number(attr.fieldMask);
  codec.text(attr.name);
  codec.number(attr.type);
  codec.number(attr.flags);
  codec.number(attr.payloadStaticSize);
  codec.number(attr.packAlign);
  codec.number(attr.schemaId);
  codec.array(attr.entries, attr.numEntries,
              [skipped](Codec& inner, nvtxPayloadSchemaEntry_t& entry) {
                inner.number(entry.flags);
                inner.number(entry.type);
                inner.text(entry.name);
                inner.text(entry.description);
                inner.number(entry.arrayOrUnionDetail);
                inner.number(entry.offset);
                chain(inner, entry.semantics, skipped);
                if (!Codec::kDecodes && entry.reserved != nullptr) ++*skipped;
              });
}

template <typename Codec>
void fields(Codec& codec, nvtxPayloadEnumAttr_t& attr, uint64_t*) {
  codec.number(attr.fieldMask);
  codec.text(attr.name);
  codec.number(attr.sizeOfEnum);
  codec.number(attr.schemaId);
  codec.array(attr.entries, attr.numEntries, [](Codec& inner, nvtxPayloadEnum_t& entry) {
    inner.text(entry.name);
    inner.number(entry.value);
    inner.number(entry.isFlag);
  });
}

template <typename Codec>
void fields(Codec& codec, nvtxCounterAttr_t& attr, uint64_t* skipped) {
  codec.number(attr.schemaId);
  codec.text(attr.name);
  codec.text(attr.description);
  codec.number(attr.scopeId);
  codec.number(attr.counterId);
  chain(codec, attr.semantics, skipped);
  if constexpr (Codec::kDecodes) attr.structSize = sizeof(attr);
}

template <typename Codec>
void fields(Codec& codec, nvtxTimeDomainAttr_t& attr, uint64_t*) {
  codec.number(attr.scopeId);
  codec.number(attr.timestampTypeId);
  codec.number(attr.timeDomainId);
  codec.number(attr.timerFlags);
  codec.number(attr.timerResolution);
  codec.number(attr.timerStart);
}

template <typename Codec>
void fields(Codec& codec, nvtxwStreamAttributes_t& attr, uint64_t*) {
  codec.text(attr.name);
  codec.number(attr.scopeId);
  codec.number(attr.timeDomainId);
  codec.number(attr.orderInterleaving);
  codec.number(attr.orderingType);
  codec.number(attr.orderingSkid);
  codec.number(attr.orderingSkidAmount);
  if constexpr (Codec::kDecodes) {
    attr.structSize = sizeof(attr);
    attr.domain = nullptr;
  }
}

// A wide text, or a handle, or a text: which of them the type of the message says.
template <typename Codec>
void wide_units(Codec& codec, const wchar_t*& text) {
  size_t count = text == nullptr ? 0 : std::wcslen(text) + 1;
  codec.array(text, count, [](Codec& inner, wchar_t& unit) { inner.number(unit); });
  if constexpr (Codec::kDecodes) {
    if (count == 0 || text[count - 1] != L'\0') text = nullptr;
  }
}

template <typename Codec>
void fields(Codec& codec, nvtxResourceAttributes_t& attr, uint64_t*) {
  codec.number(attr.version);
  codec.number(attr.identifierType);
  codec.number(attr.identifier.ullValue);
  codec.number(attr.messageType);
  switch (attr.messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      codec.text(attr.message.ascii);
      break;
    case NVTX_MESSAGE_TYPE_UNICODE:
      wide_units(codec, attr.message.unicode);
      break;
    case NVTX_MESSAGE_TYPE_REGISTERED: {
      auto handle = reinterpret_cast<uint64_t>(attr.message.registered);
      codec.number(handle);
      if constexpr (Codec::kDecodes) {
        attr.message.registered = reinterpret_cast<nvtxStringHandle_t>(handle);
      }
      break;
    }
    default:
      break;
  }
  if constexpr (Codec::kDecodes) attr.size = sizeof(attr);
}

template <typename T>
uint64_t encode_copy(Encoder& encoder, T attr) {
  uint64_t skipped = 0;
  fields(encoder, attr, &skipped);
  return skipped;
}

template <typename T>
void decode_into(Decoder& decoder, T& attr) {
  attr = T{};
  fields(decoder, attr, nullptr);
  if (!decoder.ok()) attr = T{};
}

// As much of `attr` as its structSize says, the rest zero.
template <typename T>
T present(const T& attr) {
  T copy = {};
  std::memcpy(&copy, &attr, attr.structSize < sizeof(T) ? attr.structSize : sizeof(T));
  return copy;
}

// `attr` without the fields that its mask does not name: they may be anything.
nvtxPayloadSchemaAttr_t masked(const nvtxPayloadSchemaAttr_t& attr) {
  nvtxPayloadSchemaAttr_t copy = attr;
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  if (!has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) copy.name = nullptr;
  if (!has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) copy.type = 0;
  if (!has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) copy.flags = 0;
  if (!has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE)) copy.payloadStaticSize = 0;
  if (!has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT)) copy.packAlign = 0;
  if (!has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES) ||
      !has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES)) {
    copy.entries = nullptr;
    copy.numEntries = 0;
  }
  return copy;
}

nvtxPayloadEnumAttr_t masked(const nvtxPayloadEnumAttr_t& attr) {
  nvtxPayloadEnumAttr_t copy = attr;
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  if (!has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME)) copy.name = nullptr;
  if (!has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE)) copy.sizeOfEnum = 0;
  if (!has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES) ||
      !has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES)) {
    copy.entries = nullptr;
    copy.numEntries = 0;
  }
  return copy;
}

}  // namespace

uint64_t encode(Encoder& encoder, const nvtxResourceAttributes_t& attr) {
  return encode_copy(encoder, attr);
}
uint64_t encode(Encoder& encoder, const nvtxScopeAttr_t& attr) {
  return encode_copy(encoder, present(attr));
}
uint64_t encode(Encoder& encoder, const nvtxPayloadSchemaAttr_t& attr) {
  const bool extended =
      (attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_EXTENSION) != 0 && attr.extension != nullptr;
  return encode_copy(encoder, masked(attr)) + (extended ? 1u : 0u);
}
uint64_t encode(Encoder& encoder, const nvtxPayloadEnumAttr_t& attr) {
  const bool extended =
      (attr.fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_EXTENSION) != 0 && attr.extension != nullptr;
  return encode_copy(encoder, masked(attr)) + (extended ? 1u : 0u);
}
uint64_t encode(Encoder& encoder, const nvtxCounterAttr_t& attr) {
  return encode_copy(encoder, present(attr));
}
uint64_t encode(Encoder& encoder, const nvtxTimeDomainAttr_t& attr) {
  return encode_copy(encoder, attr);
}
uint64_t encode(Encoder& encoder, const nvtxwStreamAttributes_t& attr) {
  return encode_copy(encoder, present(attr));
}

void decode(Decoder& decoder, nvtxResourceAttributes_t& attr) { decode_into(decoder, attr); }
void decode(Decoder& decoder, nvtxScopeAttr_t& attr) { decode_into(decoder, attr); }
void decode(Decoder& decoder, nvtxPayloadSchemaAttr_t& attr) { decode_into(decoder, attr); }
void decode(Decoder& decoder, nvtxPayloadEnumAttr_t& attr) { decode_into(decoder, attr); }
void decode(Decoder& decoder, nvtxCounterAttr_t& attr) { decode_into(decoder, attr); }
void decode(Decoder& decoder, nvtxTimeDomainAttr_t& attr) { decode_into(decoder, attr); }
void decode(Decoder& decoder, nvtxwStreamAttributes_t& attr) { decode_into(decoder, attr); }

}  // namespace ringscribe::journal
