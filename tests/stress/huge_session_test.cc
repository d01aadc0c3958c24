// SPDX-License-Identifier: Apache-2.0
//
// A session of more than HUGE_MIB (16) into a journal and into a trace: every event is there when
// the file is read back. huge_session_long goes beyond 4 GiB, where numbers of 32 bits end.
#include <ringscribe/ringscribe.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/probes.h"

namespace ringscribe {
namespace {

using testing::mix;

// What no codec makes small; `sequence` says what the rest must be.
struct Heavy {
  int64_t time;
  uint64_t sequence, a, b, c, d;
};
RINGSCRIBE_SCHEMA(Heavy, MARK(time), FIELD(sequence), FIELD(a), FIELD(b), FIELD(c), FIELD(d));

Heavy heavy(uint64_t i) {
  const auto noise = [i](uint64_t k) { return mix(k, i) * (mix(k + 1, i) | 1); };
  return {static_cast<int64_t>(i), i, noise(1), noise(2), noise(3), noise(4)};
}

uint64_t wanted_bytes() {
  const char* mib = std::getenv("HUGE_MIB");
  return (mib != nullptr ? std::strtoull(mib, nullptr, 10) : 16) << 20;
}

// A file that is gone when its test is over.
struct Output {
  explicit Output(const std::string& name) {
    const char* folder = std::getenv("TEST_TMPDIR");
    path = std::string(folder != nullptr ? folder : "/tmp") + "/" + name;
  }
  ~Output() {
    std::remove(path.c_str());
    std::remove((path + ".part").c_str());
  }
  // Also while it is being written.
  uint64_t bytes() const {
    std::error_code error;
    for (const char* ending : {".part", ""})
      if (const auto size = std::filesystem::file_size(path + ending, error); !error) return size;
    return 0;
  }
  std::string path;
};

// Returns how many were written before the file was as large as is wanted.
uint64_t record_until_large(const Output& output, const char* backend) {
  runtime::Settings settings;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  const runtime::Runtime runtime(settings, runtime::Runtime::Drive::kThread);
  auto session = Session::begin("huge", {.backend = backend, .output = output.path});
  REQUIRE(session.ok());
  Domain domain = session->get_domain("huge");
  const Stream stream = session->create_stream("heavy", {.domain = domain});
  const auto schema = domain.get_schema<Heavy>(EventKind::kMark);
  uint64_t written = 0;
  while (output.bytes() <= wanted_bytes())
    for (int i = 0; i < 50'000; ++i, ++written) stream.write_event(schema, heavy(written));
  CHECK(session->end().ok());
  CHECK(session->stats().recorded == written);
  CHECK(session->stats().lost() == 0);
  return written;
}

class HeavyChecker final : public testing::ProbeChecker {
 public:
  uint64_t rows = 0, wrong = 0;

  Status schema(uint32_t, const nvtxPayloadSchemaAttr_t& attr) override {
    if (std::string(attr.name) == "Heavy") schema_ = attr.schemaId;
    return {};
  }
  Status event_batch(uint32_t, const nvtxEventBatch_t& batch) override {
    if (batch.eventSchemaId != schema_) return {};
    for (size_t at = 0; at < batch.size; at += sizeof(Heavy), ++rows) {
      const Heavy expected = heavy(rows);
      wrong +=
          std::memcmp(static_cast<const char*>(batch.events) + at, &expected, sizeof expected) != 0;
    }
    return {};
  }

 private:
  uint64_t schema_ = 0;
};

TEST_CASE("a huge journal has every event") {
  const Output output("huge.rsj");
  const uint64_t written = record_until_large(output, "journal");
  HeavyChecker checker;
  auto summary = journal::replay(output.path, checker);
  REQUIRE(summary.ok());
  std::printf("journal: %llu events in %llu bytes\n", static_cast<unsigned long long>(written),
              static_cast<unsigned long long>(output.bytes()));
  CHECK(summary->finished);
  CHECK_FALSE(summary->damaged);
  CHECK(summary->bytes == output.bytes());
  CHECK(output.bytes() > wanted_bytes());
  CHECK(checker.rows == written);
  CHECK(checker.wrong == 0);
}

// A trace is read front to back, as protobuf has it: packets (field 1 of Trace), of which those
// with a track event (field 11) are counted by their sequence (field 10): ours has one a stream.
class TraceCounter {
 public:
  uint64_t packets = 0;
  std::map<uint64_t, uint64_t> events_by_sequence;

  // Returns false if the file is not made of whole packets.
  bool read(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (file == nullptr) return false;
    std::string packet;
    for (int tag; (tag = std::fgetc(file.get())) != EOF; ++packets) {
      if (tag != ((1 << 3) | 2)) return false;
      uint64_t size = 0;
      for (int shift = 0, byte = 0x80; (byte & 0x80) != 0; shift += 7) {
        if ((byte = std::fgetc(file.get())) == EOF || shift > 28) return false;
        size |= static_cast<uint64_t>(byte & 0x7f) << shift;
      }
      packet.resize(size);
      if (std::fread(packet.data(), 1, size, file.get()) != size) return false;
      std::string_view event;
      uint64_t sequence = 0;
      if (find_field(packet, 11, &event, nullptr) && find_field(packet, 10, nullptr, &sequence))
        ++events_by_sequence[sequence];
    }
    return true;
  }

 private:
  static uint64_t varint(std::string_view& rest) {
    uint64_t value = 0;
    for (int shift = 0; !rest.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest.front());
      rest.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  static bool find_field(std::string_view rest, uint64_t wanted, std::string_view* bytes,
                         uint64_t* number) {
    while (!rest.empty()) {
      const uint64_t tag = varint(rest);
      uint64_t size = 0;
      switch (tag & 7) {
        case 0: {
          const uint64_t value = varint(rest);
          if (tag >> 3 == wanted && number != nullptr) return *number = value, true;
          continue;
        }
        case 1:
          size = 8;
          break;
        case 2:
          size = varint(rest);
          break;
        case 5:
          size = 4;
          break;
        default:
          return false;
      }
      if (size > rest.size()) return false;
      if (tag >> 3 == wanted && bytes != nullptr) return *bytes = rest.substr(0, size), true;
      rest.remove_prefix(size);
    }
    return false;
  }
};

TEST_CASE("a huge trace has every event") {
  const Output output("huge.pftrace");
  const uint64_t written = record_until_large(output, "perfetto");
  TraceCounter counter;
  REQUIRE(counter.read(output.path));
  std::printf("trace: %llu events, %llu packets in %llu bytes\n",
              static_cast<unsigned long long>(written),
              static_cast<unsigned long long>(counter.packets),
              static_cast<unsigned long long>(output.bytes()));
  CHECK(output.bytes() > wanted_bytes());
  uint64_t most = 0;
  for (const auto& [sequence, events] : counter.events_by_sequence) most = std::max(most, events);
  CHECK(most == written);
}

}  // namespace
}  // namespace ringscribe
