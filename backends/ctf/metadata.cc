// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/metadata.h"

#include <unistd.h>

#include <algorithm>
#include <random>

#include "ringscribe/backends/ctf/tsdl_text.h"

namespace ringscribe::ctf {
namespace {

constexpr const char* kTypes = R"(
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 16; align = 8; signed = false; } := u16;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
typealias integer { size = 32; align = 8; signed = true; } := i32;
typealias integer { size = 64; align = 8; signed = true; } := i64;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := x64;
typealias floating_point { exp_dig = 11; mant_dig = 53; byte_order = le; align = 8; } := f64;
typealias string { encoding = UTF8; } := text;
)";

// An event's header has the form that LTTng uses, too, for which readers have a short way: 6 bytes,
// or 14 where the time is more than 4 s after that of the event before.
constexpr const char* kStream = R"(
typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; } := t32;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := t64;

stream {
  id = 0;
  packet.context := struct {
    t64 timestamp_begin;
    t64 timestamp_end;
    u64 content_size;
    u64 packet_size;
    u64 packet_seq_num;
    u64 events_discarded;
    text _procname;
    text _track;
  };
  event.header := struct {
    enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
    variant <id> {
      struct { t32 timestamp; } compact;
      struct { u32 id; t64 timestamp; } extended;
    } v;
  } align(8);
  event.context := struct { i32 _vpid; i32 _vtid; };
};

)";

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0) name[0] = '\0';
  return name;
}

}  // namespace

Metadata::Metadata(std::string_view session_name) : session_name_(session_name) {
  std::random_device random;
  for (char& byte : uuid_) byte = static_cast<char>(random());
  uuid_[6] = static_cast<char>((uuid_[6] & 0x0F) | 0x40);  // made at random
  uuid_[8] = static_cast<char>((uuid_[8] & 0x3F) | 0x80);
  constexpr char kDigits[] = "0123456789abcdef";
  for (size_t i = 0; i < uuid_.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid_text_ += '-';
    uuid_text_ += kDigits[uuid_[i] >> 4 & 0xF];
    uuid_text_ += kDigits[uuid_[i] & 0xF];
  }
}

void Metadata::set_clock(const TraceClock& clock) {
  clock_ = clock;
  must_replace_ = true;
}

std::string Metadata::head() const {
  std::string out = kBegin;
  out += kTypes;
  out += "\ntrace {\n  major = 1;\n  minor = 8;\n  uuid = \"" + uuid_text_ +
         "\";\n  byte_order = le;\n"
         "  packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; "
         "u64 stream_instance_id; };\n};\n\n";
  // By this domain Trace Compass knows that vpid and vtid are there.
  out += "env {\n  domain = \"ust\";\n  tracer_name = \"ringscribe\";\n  hostname = " +
         quoted(host_name()) + ";\n  trace_name = " + quoted(session_name_) + ";\n};\n\n";
  out += "clock {\n  name = \"monotonic\";\n  uuid = \"" + uuid_text_ +
         "\";\n  description = \"CLOCK_MONOTONIC\";\n  freq = 1000000000;\n  offset_s = " +
         std::to_string(clock_.offset_s()) + ";\n  offset = " + std::to_string(clock_.offset()) +
         ";\n" + (clock_.is_known() ? "  absolute = true;\n" : "") + "};\n";
  return out + kStream;
}

uint32_t Metadata::declare(std::string_view name, std::string_view fields,
                           std::string_view remark) {
  const uint32_t id = next_id_++;
  events_ += "event {\n  name = " + quoted(name) + ";" + std::string(remark) +
             "\n  id = " + std::to_string(id) + ";\n  stream_id = 0;\n  fields := struct {\n";
  events_.append(fields).append("};\n};\n");
  ends_.push_back(events_.size());
  return id;
}

Status Metadata::flush(output::OutputFolder& folder) {
  std::string added;
  size_t begin = flushed_;
  for (const size_t end : ends_) {
    const size_t size = end - begin;
    const size_t left = kPageBytes - (bytes_on_disk_ + added.size()) % kPageBytes;
    if (size > kPageBytes) must_replace_ = true;
    if (must_replace_) break;
    if (size > left) added.append(left, '\n');
    added.append(events_, begin, size);
    begin = end;
  }
  Status status;
  if (must_replace_) {
    const std::string all = head() + events_;
    status = folder.replace(kFile, all.data(), all.size());
    bytes_on_disk_ = all.size();
  } else if (!added.empty()) {
    status = folder.append(kFile, bytes_on_disk_, added.data(), added.size());
    bytes_on_disk_ += added.size();
  }
  must_replace_ = false;
  flushed_ = events_.size();
  ends_.clear();
  return status;
}

}  // namespace ringscribe::ctf
