// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/journal_reader.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/checksum.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/frame_writer.h"
#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/journal/sample_session.h"

using namespace ringscribe;
using namespace ringscribe::journal;

namespace {

// Under a sanitizer a replay costs ten times as much: fewer of the many like ones then.
#ifdef RINGSCRIBE_SANITIZED
constexpr size_t kByteStep = 5;
#else
constexpr size_t kByteStep = 1;
#endif

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;

// Writes a journal by these calls and returns its bytes.
template <typename Calls>
std::string journal_of(const char* codec, Calls calls) {
  nvtxw::SessionConfig config;
  config.name = "sample";
  config.output = sample_path("a.rsj");
  config.other = {{"journal_codec", codec}};
  Result<std::unique_ptr<nvtxw::SessionBackend>> session = open_journal_session(config);
  REQUIRE(session.ok());
  calls(*session.value());
  REQUIRE(session.value()->end().ok());
  return read_file(config.output);
}

std::string sample_journal(const char* codec = "compact") {
  return journal_of(
      codec, [](nvtxw::SessionBackend& backend) { REQUIRE(make_sample_calls(backend).ok()); });
}

// A journal that holds pointers of all kinds.
std::string pointer_journal(const char* codec = "compact") {
  return journal_of(codec, [](nvtxw::SessionBackend& backend) {
    REQUIRE(open_sample_stream(backend).ok());
    REQUIRE(add_schema(backend, kId,
                       {{NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING},
                        {NVTX_PAYLOAD_ENTRY_FLAG_POINTER, NVTX_PAYLOAD_ENTRY_TYPE_INT32}})
                .ok());
    REQUIRE(add_schema(backend, kId + 1, {{NVTX_PAYLOAD_ENTRY_FLAG_POINTER, kId}}).ok());
    const int32_t number = 5;
    const void* row[] = {"deep", &number};
    const void* outer[] = {row};
    const nvtxPayloadData_t payloads[] = {
        {kId, sizeof(row), row}, {kId + 1, sizeof(outer), outer}, {1022, sizeof(number), &number}};
    REQUIRE(backend.event(0, payloads).ok());
    nvtxEventBatch_t batch = {};
    const void* rows[] = {"deep", &number, "deep", &number};
    batch.eventSchemaId = kId;
    batch.events = rows;
    batch.size = sizeof(rows);
    batch.flexData = &number;
    batch.flexDataSize = sizeof(number);
    REQUIRE(backend.event_batch(0, batch).ok());
  });
}

struct Replayed {
  std::vector<std::string> lines;
  ReplaySummary summary;
  Status status;
};

Replayed replayed(const std::string& path) {
  Replayed result;
  CallPrinter printer([&](std::string_view line) { result.lines.emplace_back(line); });
  Result<ReplaySummary> summary = replay(path, printer);
  result.status = summary.status();
  if (summary.ok()) result.summary = summary.value();
  return result;
}

Replayed replayed_bytes(const std::string& bytes) {
  static const std::string path = sample_path("changed.rsj");
  write_file(path, bytes);
  return replayed(path);
}

// Where each frame of a journal ends.
std::vector<size_t> frame_ends(const std::string& bytes) {
  std::vector<size_t> ends;
  for (size_t at = sizeof(FileHeader); at < bytes.size(); ends.push_back(at)) {
    FrameHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof(header));
    at += sizeof(header) + header.payload_bytes;
  }
  return ends;
}

// Puts right the checksum of the frame that begins at `at`.
void sign(std::string& bytes, size_t at) {
  FrameHeader header;
  std::memcpy(&header, bytes.data() + at, sizeof(header));
  uint64_t seed = 0;
  std::memcpy(&seed, &header, sizeof(seed));
  const std::span<const std::byte> payload =
      std::as_bytes(std::span(bytes)).subspan(at + sizeof(header), header.payload_bytes);
  header.checksum = checksum(seed, std::span(&payload, 1));
  std::memcpy(bytes.data() + at, &header, sizeof(header));
}

std::string frame(uint8_t type, uint8_t codec, const std::string& payload) {
  FrameHeader header = {};
  header.type = type;
  header.codec = codec;
  header.payload_bytes = static_cast<uint32_t>(payload.size());
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes += payload;
  sign(bytes, 0);
  return bytes;
}

void sign_header(std::string& bytes) {
  const std::span<const std::byte> covered =
      std::as_bytes(std::span(bytes)).first(offsetof(FileHeader, checksum));
  const auto value = static_cast<uint32_t>(checksum(0, std::span(&covered, 1)));
  std::memcpy(bytes.data() + offsetof(FileHeader, checksum), &value, sizeof(value));
}

}  // namespace

TEST_CASE("a journal cut at any byte yields its whole frames and says that it is truncated") {
  const std::string whole = sample_journal(GENERATE("raw", "compact"));
  const std::vector<std::string> all = replayed_bytes(whole).lines;
  const std::vector<size_t> ends = frame_ends(whole);
  REQUIRE(ends.back() == whole.size());
  size_t checked = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Replayed cut = replayed_bytes(whole.substr(0, size));
    size_t frames = 0;
    while (frames < ends.size() && ends[frames] <= size) ++frames;
    if (frames == 0) {
      // Not even the session's own frame is there.
      if (cut.status.message().find("truncated") == std::string::npos) FAIL(size);
      continue;
    }
    ++checked;
    bool good = cut.status.ok() && cut.summary.truncated && !cut.summary.finished &&
                !cut.summary.damaged && cut.summary.frames == frames &&
                cut.summary.bytes == ends[frames - 1] && cut.lines.size() == frames;
    for (size_t i = 0; good && i + 1 < frames; ++i) good = cut.lines[i] == all[i];
    if (!good) FAIL("cut at " << size);
  }
  CHECK(checked > 1000);
  CHECK(replayed_bytes(whole).summary.finished);
}

TEST_CASE("a journal with any byte changed never passes for whole") {
  for (const std::string& whole :
       {sample_journal("raw"), pointer_journal("raw"), sample_journal(), pointer_journal()}) {
    const std::vector<std::string> all = replayed_bytes(whole).lines;
    for (size_t i = 0; i < whole.size(); i += kByteStep) {
      for (const char flip : {'\x01', '\xFF'}) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ flip);
        const Replayed result = replayed_bytes(changed);
        const bool reported = !result.status.ok() || result.summary.damaged ||
                              (result.summary.truncated && !result.summary.finished);
        bool prefix = result.lines.size() <= all.size();
        for (size_t k = 0; prefix && k + 1 < result.lines.size(); ++k) {
          prefix = result.lines[k] == all[k];
        }
        if (!reported || !prefix) FAIL("byte " << i << " xor " << static_cast<int>(flip));
      }
    }
  }
}

TEST_CASE("a journal with any byte changed and a true checksum never harms its reader") {
  // What it prints may be anything; that it prints, and that a sanitizer finds nothing, is the
  // test.
  size_t replays = 0;
  for (const std::string& whole :
       {sample_journal("raw"), pointer_journal("raw"), sample_journal(), pointer_journal()}) {
    size_t start = sizeof(FileHeader);
    for (const size_t end : frame_ends(whole)) {
      for (size_t i = start + sizeof(FrameHeader); i < end; i += kByteStep) {
        for (const char flip : {'\x01', '\xFF'}) {
          std::string changed = whole;
          changed[i] = static_cast<char>(changed[i] ^ flip);
          sign(changed, start);
          replayed_bytes(changed);
          ++replays;
        }
      }
      start = end;
    }
  }
  CHECK(replays > 1000);
}

TEST_CASE("an address that a journal chose is never followed") {
  // Put over every number of every frame, with true checksums: it becomes no pointer that a target
  // could follow. The printer follows all it is given, and would print what stands there.
  static const char secret[] = "SECRETSECRETSECRETSECRET";
  const auto address = reinterpret_cast<uint64_t>(&secret[0]);
  const std::string whole = pointer_journal(GENERATE("raw", "compact"));
  size_t start = sizeof(FileHeader);
  size_t replays = 0;
  for (const size_t end : frame_ends(whole)) {
    for (size_t i = start + sizeof(FrameHeader); i + sizeof(address) <= end; i += 8) {
      std::string changed = whole;
      std::memcpy(changed.data() + i, &address, sizeof(address));
      sign(changed, start);
      for (const std::string& line : replayed_bytes(changed).lines) {
        // "SECRET" in hex digits.
        if (line.find("534543524554") != std::string::npos) FAIL("byte " << i << ": " << line);
      }
      ++replays;
    }
    start = end;
  }
  CHECK(replays > 50);
}

TEST_CASE("a journal says the version that its reader must know") {
  CHECK(replayed_bytes(sample_journal("raw")).summary.info.major == 1);
  CHECK(replayed_bytes(sample_journal("compact")).summary.info.major == 2);
}

TEST_CASE("both codecs say the same, and the compact one in fewer bytes") {
  const std::string raw = sample_journal("raw");
  const std::string compact = sample_journal("compact");
  CHECK(replayed_bytes(raw).lines == replayed_bytes(compact).lines);
  CHECK(compact.size() < raw.size());
  CHECK(replayed_bytes(pointer_journal("raw")).lines == replayed_bytes(pointer_journal()).lines);
}

TEST_CASE("a compact frame that makes no sense is damage") {
  const std::string good = sample_journal();
  const std::vector<size_t> ends = frame_ends(good);
  const std::string bad = frame(static_cast<uint8_t>(FrameType::kEventBatch), 1, std::string(8, 9));
  const Replayed result = replayed_bytes(std::string(good).insert(ends[1], bad));
  CHECK(result.summary.damaged);
  CHECK_THAT(result.summary.damage, Catch::Contains("compact frame"));
}

TEST_CASE("damage names its place, and what stands before it is replayed") {
  std::string bytes = sample_journal();
  const std::vector<size_t> ends = frame_ends(bytes);
  bytes[ends[4] + sizeof(FrameHeader)] ^= 1;
  const Replayed result = replayed_bytes(bytes);
  REQUIRE(result.status.ok());
  CHECK(result.summary.damaged);
  CHECK(!result.summary.truncated);
  CHECK(!result.summary.finished);
  CHECK(result.summary.frames == 5);
  CHECK(result.summary.bytes == ends[4]);
  CHECK_THAT(result.summary.damage,
             Catch::Contains("byte " + std::to_string(ends[4])) && Catch::Contains("checksum"));
}

TEST_CASE("frames of unknown types and codecs are skipped and counted") {
  std::string bytes = sample_journal();
  const std::vector<std::string> all = replayed_bytes(bytes).lines;
  const std::vector<size_t> ends = frame_ends(bytes);
  bytes.insert(ends[2], frame(200, 0, "a thing from the future!"));
  bytes.insert(ends[1], frame(static_cast<uint8_t>(FrameType::kEvent), 9, ""));
  const Replayed result = replayed_bytes(bytes);
  CHECK(result.summary.unknown_frames == 2);
  CHECK(result.summary.finished);
  CHECK(!result.summary.damaged);
  CHECK(result.lines == all);
}

TEST_CASE("fields that a newer minor version appends are ignored") {
  std::string bytes = sample_journal();
  const std::vector<std::string> all = replayed_bytes(bytes).lines;
  std::string longer = bytes.substr(0, sizeof(FileHeader));
  size_t start = sizeof(FileHeader);
  for (const size_t end : frame_ends(bytes)) {
    longer += frame(static_cast<uint8_t>(bytes[start]), static_cast<uint8_t>(bytes[start + 1]),
                    bytes.substr(start + sizeof(FrameHeader), end - start - sizeof(FrameHeader)) +
                        std::string(8, '\x7F'));
    start = end;
  }
  const uint16_t minor = kMinorVersion + 1;
  std::memcpy(longer.data() + offsetof(FileHeader, minor), &minor, sizeof(minor));
  sign_header(longer);
  const Replayed result = replayed_bytes(longer);
  CHECK(result.lines == all);
  CHECK(result.summary.finished);
  CHECK(result.summary.info.minor == minor);
}

TEST_CASE("what is no journal of this machine and version is refused in one sentence") {
  const std::string good = sample_journal();
  const auto refused = [](const std::string& bytes) {
    const Replayed result = replayed_bytes(bytes);
    CHECK(result.status.code() == ResultCode::kFailed);
    CHECK(result.lines.empty());
    return result.status.message();
  };
  CHECK_THAT(refused("{\"traceEvents\":[]}"), Catch::Contains("no Ringscribe journal"));
  CHECK_THAT(refused("x"), Catch::Contains("no Ringscribe journal"));
  CHECK_THAT(refused(""), Catch::Contains("truncated"));
  std::string newer = good;
  newer[offsetof(FileHeader, major)] = 3;
  CHECK_THAT(refused(newer), Catch::Contains("damaged"));
  sign_header(newer);
  CHECK_THAT(refused(newer), Catch::Contains("version is 3.0") && Catch::Contains("newer"));
  std::string narrow = good;
  narrow[offsetof(FileHeader, pointer_bytes)] = 4;
  sign_header(narrow);
  CHECK_THAT(refused(narrow), Catch::Contains("sizes of pointer"));
  std::string swapped = good;
  std::swap(swapped[offsetof(FileHeader, byte_order)],
            swapped[offsetof(FileHeader, byte_order) + 3]);
  CHECK_THAT(refused(swapped), Catch::Contains("byte order"));
  CHECK_THAT(replayed("/no/such/file").status.message(),
             Catch::Contains("/no/such/file") && Catch::Contains("No such file"));
  CHECK_THAT(replayed("/").status.message(), Catch::Contains("folder"));
}

TEST_CASE("frames that break the order of a session are damage") {
  const std::string good = sample_journal();
  const std::vector<size_t> ends = frame_ends(good);
  const auto damage_of = [](const std::string& bytes) {
    const Replayed result = replayed_bytes(bytes);
    CHECK(result.status.ok());
    CHECK(result.summary.damaged);
    return result.summary.damage;
  };
  // The first domain, twice.
  const std::string domain = good.substr(ends[0], ends[1] - ends[0]);
  CHECK_THAT(damage_of(std::string(good).insert(ends[1], domain)), Catch::Contains("out of order"));
  const std::string session = good.substr(sizeof(FileHeader), ends[0] - sizeof(FileHeader));
  CHECK_THAT(damage_of(std::string(good).insert(ends[1], session)),
             Catch::Contains("second session"));
  // An event before any stream.
  const EventPrefix event = {0, 0, 0, 0};
  CHECK_THAT(damage_of(std::string(good).insert(
                 ends[0], frame(static_cast<uint8_t>(FrameType::kEvent), 0,
                                std::string(reinterpret_cast<const char*>(&event), 16)))),
             Catch::Contains("no open stream"));
  CHECK_THAT(damage_of(good + domain), Catch::Contains("behind its end"));
}

TEST_CASE("a length that cannot be true allocates nothing and reads nothing") {
  std::string bytes = sample_journal();
  const std::vector<size_t> ends = frame_ends(bytes);
  FrameHeader header = {};
  header.type = static_cast<uint8_t>(FrameType::kEvent);
  header.payload_bytes = 0xFFFFFFF0;
  bytes = bytes.substr(0, ends[0]) + std::string(reinterpret_cast<const char*>(&header), 16);
  const Replayed result = replayed_bytes(bytes);
  CHECK(result.summary.truncated);
  CHECK(result.summary.frames == 1);
  const EventPrefix event = {0, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
  bytes = bytes.substr(0, ends[0]) + frame(static_cast<uint8_t>(FrameType::kEvent), 0,
                                           std::string(reinterpret_cast<const char*>(&event), 16));
  CHECK(replayed_bytes(bytes).summary.damaged);
}

namespace {

// Refuses what it is told to.
class Refusing : public CallPrinter {
 public:
  Refusing() : CallPrinter([](std::string_view) {}) {}
  Status event(uint32_t, std::span<const nvtxPayloadData_t>) override {
    return Status(ResultCode::kNotSupported, "no events, call " + std::to_string(++calls));
  }
  Status end() override { return Status(ResultCode::kFailed, "no end"); }
  int calls = 0;
};

}  // namespace

TEST_CASE("calls that the target refuses are counted and the replay goes on") {
  const std::string path = sample_path("a.rsj");
  write_file(path, sample_journal());
  Refusing target;
  Result<ReplaySummary> summary = replay(path, target);
  REQUIRE(summary.ok());
  CHECK(summary->rejected == 2);
  CHECK(target.calls == 2);
  CHECK(summary->first_rejection.message() == "no events, call 1");
  CHECK(summary->end_status.message() == "no end");
  CHECK(summary->finished);
}
