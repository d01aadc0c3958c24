// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/call_printer.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstring>
#include <string>
#include <utility>

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::journal {

// One line in the making: {"call": name, ...}. add() gives a key and a value.
class CallPrinter::Line {
 public:
  Line(const Sink& sink, const char* call) : sink_(sink), writer_(buffer_) {
    writer_.StartObject();
    add("call", std::string_view(call));
  }

  Status finish() {
    writer_.EndObject();
    sink_(std::string_view(buffer_.GetString(), buffer_.GetSize()));
    return Status();
  }

  void key(const char* name) { writer_.Key(name); }
  void open(const char* name) { key(name), writer_.StartArray(); }
  void close() { writer_.EndArray(); }
  void open_element() { writer_.StartObject(); }
  void close_element() { writer_.EndObject(); }

  void value(uint64_t number) { writer_.Uint64(number); }
  void value(int64_t number) { writer_.Int64(number); }
  void value(double number) {
    // JSON has no word for infinity and not-a-number.
    if (!writer_.Double(number)) writer_.String(std::to_string(number).c_str());
  }
  void value(std::string_view text) {
    // Bytes that are no UTF-8 would be no JSON either.
    if (nvtxw::is_valid_utf8(text)) {
      writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    } else {
      hex(text.data(), text.size());
    }
  }
  void value(const char* text) {
    if (text == nullptr) {
      writer_.Null();
    } else {
      value(std::string_view(text));
    }
  }
  template <typename T>
  void add(const char* name, T what) {
    key(name);
    if constexpr (std::is_integral_v<T>) {
      value(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(what));
    } else {
      value(what);
    }
  }
  void hex(const void* data, size_t size) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::string text;
    for (size_t i = 0; i < size; ++i) {
      text += kDigits[bytes[i] >> 4];
      text += kDigits[bytes[i] & 15];
    }
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void add_hex(const char* name, const void* data, size_t size) {
    key(name);
    if (data == nullptr) {
      writer_.Null();
    } else {
      hex(data, size);
    }
  }
  void semantics(const nvtxSemanticsHeader_t* chain);

 private:
  const Sink& sink_;
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

void CallPrinter::Line::semantics(const nvtxSemanticsHeader_t* chain) {
  open("semantics");
  for (const auto* it = chain; it != nullptr; it = it->next) {
    open_element();
    add("semanticId", it->semanticId);
    add("version", it->version);
    if (it->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1) {
      const auto* counter = reinterpret_cast<const nvtxSemanticsCounter_t*>(it);
      add("flags", counter->flags);
      add("unit", counter->unit);
      add("unitScaleNumerator", counter->unitScaleNumerator);
      add("unitScaleDenominator", counter->unitScaleDenominator);
      add("limitType", counter->limitType);
      add("min", counter->min.u64);
      add("max", counter->max.u64);
    } else if (it->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1) {
      add("scopeId", reinterpret_cast<const nvtxSemanticsScope_t*>(it)->scopeId);
    } else if (it->semanticId == NVTX_SEMANTIC_ID_TIME_V1) {
      add("timeDomainId", reinterpret_cast<const nvtxSemanticsTime_t*>(it)->timeDomainId);
    }
    close_element();
  }
  close();
}

CallPrinter::CallPrinter(Sink sink) : sink_(std::move(sink)) {}
CallPrinter::~CallPrinter() = default;

Status CallPrinter::domain(uint32_t domain, std::string_view name) {
  Line line(sink_, "domain");
  line.add("domain", domain);
  line.add("name", name);
  return line.finish();
}

Status CallPrinter::category(uint32_t domain, uint32_t category, std::string_view name) {
  Line line(sink_, "category");
  line.add("domain", domain);
  line.add("category", category);
  line.add("name", name);
  return line.finish();
}

Status CallPrinter::string(uint32_t domain, uint64_t handle, std::string_view text) {
  Line line(sink_, "string");
  line.add("domain", domain);
  line.add("handle", handle);
  line.add("text", text);
  return line.finish();
}

Status CallPrinter::resource(uint32_t domain, const nvtxResourceAttributes_t& attr) {
  Line line(sink_, "resource");
  line.add("domain", domain);
  line.add("identifierType", attr.identifierType);
  line.add("identifier", attr.identifier.ullValue);
  line.add("messageType", attr.messageType);
  switch (attr.messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      line.add("message", attr.message.ascii);
      break;
    case NVTX_MESSAGE_TYPE_UNICODE: {
      const wchar_t* text = attr.message.unicode;
      line.add_hex("message", text, text == nullptr ? 0 : std::wcslen(text) * sizeof(wchar_t));
      break;
    }
    case NVTX_MESSAGE_TYPE_REGISTERED:
      line.add("message", reinterpret_cast<uint64_t>(attr.message.registered));
      break;
    default:
      break;
  }
  return line.finish();
}

Status CallPrinter::scope(uint32_t domain, const nvtxScopeAttr_t& attr) {
  Line line(sink_, "scope");
  line.add("domain", domain);
  line.add("path", attr.path);
  line.add("parentScope", attr.parentScope);
  line.add("scopeId", attr.scopeId);
  return line.finish();
}

Status CallPrinter::schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  Line line(sink_, "schema");
  line.add("domain", domain);
  line.add("fieldMask", attr.fieldMask);
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) line.add("name", attr.name);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) line.add("type", attr.type);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) line.add("flags", attr.flags);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE)) {
    line.add("payloadStaticSize", attr.payloadStaticSize);
  }
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT)) line.add("packAlign", attr.packAlign);
  line.add("schemaId", attr.schemaId);
  line.open("entries");
  const bool has_entries = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES) &&
                           has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES);
  for (size_t i = 0; has_entries && i < attr.numEntries; ++i) {
    const nvtxPayloadSchemaEntry_t& entry = attr.entries[i];
    line.open_element();
    line.add("flags", entry.flags);
    line.add("type", entry.type);
    line.add("name", entry.name);
    line.add("description", entry.description);
    line.add("arrayOrUnionDetail", entry.arrayOrUnionDetail);
    line.add("offset", entry.offset);
    line.semantics(entry.semantics);
    line.close_element();
  }
  line.close();
  // A printer takes what it is given; a schema that it cannot lay out has no pointers to it.
  (void)map_.add_schema(domain, attr);
  return line.finish();
}

Status CallPrinter::enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  Line line(sink_, "enumeration");
  line.add("domain", domain);
  line.add("fieldMask", attr.fieldMask);
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME)) line.add("name", attr.name);
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE)) line.add("sizeOfEnum", attr.sizeOfEnum);
  line.add("schemaId", attr.schemaId);
  line.open("entries");
  const bool has_entries =
      has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES) && has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES);
  for (size_t i = 0; has_entries && i < attr.numEntries; ++i) {
    line.open_element();
    line.add("name", attr.entries[i].name);
    line.add("value", attr.entries[i].value);
    line.add("isFlag", attr.entries[i].isFlag);
    line.close_element();
  }
  line.close();
  (void)map_.add_enum(domain, attr);
  return line.finish();
}

Status CallPrinter::counter(uint32_t domain, const nvtxCounterAttr_t& attr) {
  Line line(sink_, "counter");
  line.add("domain", domain);
  line.add("schemaId", attr.schemaId);
  line.add("name", attr.name);
  line.add("description", attr.description);
  line.add("scopeId", attr.scopeId);
  line.add("counterId", attr.counterId);
  line.semantics(attr.semantics);
  map_.add_counter(domain, attr);
  return line.finish();
}

Status CallPrinter::time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) {
  Line line(sink_, "time_domain");
  line.add("domain", domain);
  line.add("scopeId", attr.scopeId);
  line.add("timestampTypeId", attr.timestampTypeId);
  line.add("timeDomainId", attr.timeDomainId);
  line.add("timerFlags", attr.timerFlags);
  line.add("timerResolution", attr.timerResolution);
  line.add("timerStart", attr.timerStart);
  return line.finish();
}

Status CallPrinter::stream_open(uint32_t stream, uint32_t domain,
                                const nvtxwStreamAttributes_t& attr) {
  if (stream >= stream_domains_.size()) stream_domains_.resize(size_t{stream} + 1, UINT32_MAX);
  stream_domains_[stream] = domain;
  Line line(sink_, "stream_open");
  line.add("stream", stream);
  line.add("domain", domain);
  line.add("name", attr.name);
  line.add("scopeId", attr.scopeId);
  line.add("timeDomainId", attr.timeDomainId);
  line.add("orderInterleaving", attr.orderInterleaving);
  line.add("orderingType", attr.orderingType);
  line.add("orderingSkid", attr.orderingSkid);
  line.add("orderingSkidAmount", attr.orderingSkidAmount);
  return line.finish();
}

Status CallPrinter::stream_close(uint32_t stream) {
  Line line(sink_, "stream_close");
  line.add("stream", stream);
  return line.finish();
}

void CallPrinter::payload(Line& line, uint32_t stream, uint64_t schema, const void* data,
                          size_t size, bool many) {
  struct Found {
    size_t offset;
    uint64_t address;
    Pointee pointee;
  };
  const uint32_t domain = stream < stream_domains_.size() ? stream_domains_[stream] : UINT32_MAX;
  const auto* bytes = static_cast<const std::byte*>(data);
  if (bytes == nullptr || !map_.may_hold(domain, schema, PayloadMap::kPointers)) {
    line.add_hex("hex", data, size);
    return;
  }
  std::vector<std::byte> copy(bytes, bytes + size);
  std::vector<Found> pointers;
  for (size_t start = 0; start < size;) {
    const std::optional<size_t> used = map_.walk(
        domain, schema, std::span(bytes, size).subspan(start), [&](const PayloadSlot& slot) {
          if (slot.kind != SlotKind::kPointer) return;
          const size_t offset = start + slot.offset;
          uint64_t address = 0;
          std::memcpy(&address, bytes + offset, sizeof(address));
          std::memset(copy.data() + offset, 0, sizeof(address));
          pointers.push_back({offset, address, slot.pointee});
        });
    if (!many || !used || *used == 0) break;
    start += *used;
  }
  line.add_hex("hex", copy.data(), copy.size());
  line.open("pointers");
  for (const Found& pointer : pointers) {
    line.open_element();
    line.add("offset", pointer.offset);
    const auto* target = reinterpret_cast<const std::byte*>(pointer.address);
    uint64_t length = pointer.pointee.unit_bytes * pointer.pointee.count;
    if (pointer.pointee.zero_terminated && pointer.pointee.unit_bytes != 0) {
      const std::vector<std::byte> zero(pointer.pointee.unit_bytes);
      length = 0;
      while (target != nullptr && std::memcmp(target + length, zero.data(), zero.size()) != 0) {
        length += zero.size();
      }
    }
    // What the pointed-at bytes hold themselves may be addresses.
    if (pointer.pointee.nested_schema != 0) length = 0;
    line.add_hex(target == nullptr ? "null" : "hex", target, length);
    line.close_element();
  }
  line.close();
}

Status CallPrinter::event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) {
  Line line(sink_, "event");
  line.add("stream", stream);
  line.open("payloads");
  for (const nvtxPayloadData_t& one : payloads) {
    line.open_element();
    line.add("schemaId", one.schemaId);
    payload(line, stream, one.schemaId, one.payload, one.size, false);
    line.close_element();
  }
  line.close();
  return line.finish();
}

Status CallPrinter::event_batch(uint32_t stream, const nvtxEventBatch_t& batch) {
  Line line(sink_, "event_batch");
  line.add("stream", stream);
  line.add("eventSchemaId", batch.eventSchemaId);
  line.add("scope", batch.scope);
  line.add("flags", batch.flags);
  payload(line, stream, batch.eventSchemaId, batch.events, batch.size, true);
  line.add("flexDataOffset", batch.flexDataOffset);
  const auto* flex = static_cast<const std::byte*>(batch.flexData);
  line.add_hex("flexData", flex == nullptr ? nullptr : flex + batch.flexDataOffset,
               batch.flexDataSize);
  return line.finish();
}

Status CallPrinter::counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter,
                                   const void* data, size_t size) {
  Line line(sink_, "counter_sample");
  line.add("stream", stream);
  line.add("timestamp", timestamp);
  line.add("counterId", counter);
  line.add_hex("hex", data, size);
  return line.finish();
}

Status CallPrinter::counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                                     uint8_t reason) {
  Line line(sink_, "counter_no_value");
  line.add("stream", stream);
  line.add("timestamp", timestamp);
  line.add("counterId", counter);
  line.add("reason", reason);
  return line.finish();
}

Status CallPrinter::counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) {
  Line line(sink_, "counter_batch");
  line.add("stream", stream);
  line.add("counterId", batch.counterId);
  line.add("flags", batch.flags);
  line.add_hex("hex", batch.counters, batch.countersSize);
  line.add_hex("timestamps", batch.timestamps, batch.timestampsSize);
  return line.finish();
}

Status CallPrinter::sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                                std::span<const nvtxSyncPoint_t> points) {
  Line line(sink_, "sync_points");
  line.add("stream", stream);
  line.add("source", source);
  line.add("destination", destination);
  line.open("points");
  for (const nvtxSyncPoint_t& point : points) {
    line.open_element();
    line.add("src", point.src);
    line.add("dst", point.dst);
    line.close_element();
  }
  line.close();
  return line.finish();
}

Status CallPrinter::conversion_factor(uint32_t stream, uint64_t source, uint64_t destination,
                                      double slope, int64_t source_timestamp,
                                      int64_t destination_timestamp) {
  Line line(sink_, "conversion_factor");
  line.add("stream", stream);
  line.add("source", source);
  line.add("destination", destination);
  line.add("slope", slope);
  line.add("source_timestamp", source_timestamp);
  line.add("destination_timestamp", destination_timestamp);
  return line.finish();
}

Status CallPrinter::end() { return Line(sink_, "end").finish(); }

std::string session_line(const JournalInfo& info) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto text = [&](const char* key, const std::string& value) {
    writer.Key(key);
    const std::string valid = nvtxw::to_valid_utf8(value);
    writer.String(valid.c_str(), static_cast<rapidjson::SizeType>(valid.size()));
  };
  writer.StartObject();
  text("call", "session");
  text("version", std::to_string(info.major) + "." + std::to_string(info.minor));
  text("name", info.session_name);
  text("format", info.format);
  writer.Key("config");
  writer.StartObject();
  for (const auto& [key, value] : info.config) text(nvtxw::to_valid_utf8(key).c_str(), value);
  writer.EndObject();
  writer.EndObject();
  return buffer.GetString();
}

std::string summary_line(const ReplaySummary& summary) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto number = [&](const char* key, uint64_t value) {
    writer.Key(key);
    writer.Uint64(value);
  };
  const auto yes_no = [&](const char* key, bool value) {
    writer.Key(key);
    writer.Bool(value);
  };
  writer.StartObject();
  writer.Key("call");
  writer.String("summary");
  number("frames", summary.frames);
  number("bytes", summary.bytes);
  number("unknown_frames", summary.unknown_frames);
  number("null_pointers", summary.null_pointers);
  number("skipped_extensions", summary.skipped_extensions);
  yes_no("finished", summary.finished);
  yes_no("truncated", summary.truncated);
  yes_no("damaged", summary.damaged);
  writer.Key("damage");
  writer.String(summary.damage.c_str());
  writer.EndObject();
  return buffer.GetString();
}

}  // namespace ringscribe::journal
