// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a journal, replayed into the event model: as they are, and again with the checksums
// put right, since a checksum would stop nearly every change at the door. The first byte chooses
// between the model itself and the model behind the C interface. The seeds are journals of real
// sessions.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/checksum.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/journal/replay_to_interface.h"
#include "ringscribe/backends/journal/sample_session.h"
#include "ringscribe/backends/nvtxw/backend_format.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"
#include "ringscribe/backends/nvtxw/fuzz_target.h"
#include "ringscribe/backends/nvtxw/interface_table.h"
#include "ringscribe/backends/nvtxw/memory_file.h"

using namespace ringscribe;
using namespace ringscribe::journal;

namespace {

using Bytes = std::vector<std::byte>;

Result<std::unique_ptr<nvtxw::SessionBackend>> open_target(const nvtxw::SessionConfig&) {
  return make_fuzz_target();
}
constexpr nvtxw::BackendFormat kFormats[] = {{"model", "", open_target, {}}};
constexpr nvtxw::FormatTable kTable = {kFormats, "model"};

// Puts right the checksum of the header and of each frame up to the first that is cut.
void sign(Bytes& bytes) {
  FileHeader file;
  if (bytes.size() < sizeof(file)) return;
  const std::span<const std::byte> covered(bytes.data(), offsetof(FileHeader, checksum));
  const auto sum = static_cast<uint32_t>(checksum(0, std::span(&covered, 1)));
  std::memcpy(bytes.data() + offsetof(FileHeader, checksum), &sum, sizeof(sum));
  FrameHeader header;
  for (size_t at = sizeof(file); bytes.size() - at >= sizeof(header);) {
    std::memcpy(&header, bytes.data() + at, sizeof(header));
    const size_t begin = at + sizeof(header);
    if (header.payload_bytes > bytes.size() - begin) return;
    uint64_t seed = 0;
    std::memcpy(&seed, &header, sizeof(seed));
    const std::span<const std::byte> payload(bytes.data() + begin, header.payload_bytes);
    header.checksum = checksum(seed, std::span(&payload, 1));
    std::memcpy(bytes.data() + at, &header, sizeof(header));
    at = begin + header.payload_bytes;
  }
}

void replay_into(bool uses_interface, const std::string& path) {
  std::unique_ptr<nvtxw::SessionBackend> target;
  if (uses_interface) {
    static const nvtxwInterface_v2_t* const table = nvtxw::make_interface(&kTable);
    Result<std::unique_ptr<nvtxw::SessionBackend>> begun =
        replay_to_interface(*table, "fuzzed", "format=model");
    fuzz_require(begun.ok(), "a session of the table begins");
    target = std::move(begun.value());
  } else {
    target = make_fuzz_target();
  }
  Result<ReplaySummary> summary = replay(path, *target);
  if (!summary.ok()) return;
  fuzz_require(!(summary->truncated && summary->damaged), "a journal is cut or damaged, not both");
  fuzz_require(summary->damaged == !summary->damage.empty(), "damage is told");
}

// The journal of a session in which `calls` are made, behind the byte that chooses the target.
template <typename Calls>
std::string recorded(char target, const char* codec, Calls calls) {
  const std::string path = sample_path("seed.rsj");
  nvtxw::SessionConfig config;
  config.name = "seed";
  config.format = "journal";
  config.output = path;
  config.other = {{"journal_codec", codec}};
  Result<std::unique_ptr<nvtxw::SessionBackend>> writer = open_journal_session(config);
  fuzz_require(writer.ok(), "a journal can be written");
  calls(*writer.value());
  fuzz_require(writer.value()->end().ok(), "a journal can be finished");
  return target + read_file(path);
}

// Pointers of each form: into the event, into flexible data, copied from elsewhere.
void make_pointer_calls(nvtxw::SessionBackend& backend) {
  constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
  constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
  constexpr uint64_t kDeep = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY;
  constexpr uint64_t kUtf8 = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
  constexpr uint64_t kTime = NVTX_PAYLOAD_ENTRY_FLAG_MARK;
  (void)open_sample_stream(backend);
  (void)add_schema(backend, kId,
                   {{kTime, NVTX_PAYLOAD_ENTRY_TYPE_INT64},
                    {kPointer, kUtf8, 4},
                    {kDeep, kUtf8},
                    {kDeep | kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE,
                     NVTX_PAYLOAD_ENTRY_TYPE_INT32, 2}});
  const int32_t numbers[2] = {4, 5};
  const char text[] = "text";
  struct {
    int64_t time;
    const char* pointer;
    const char* deep;
    const int32_t* numbers;
  } row = {10, text, "deep copy", numbers};
  const nvtxPayloadData_t payloads[] = {{kId, sizeof(row), &row},
                                        {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, sizeof(text), text}};
  (void)backend.event(0, payloads);
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.events = &row;
  batch.size = sizeof(row);
  batch.flexData = text;
  batch.flexDataSize = sizeof(text);
  (void)backend.event_batch(0, batch);
}

// Rows enough for two blocks of the compact codec, with columns of each basis, and samples.
void make_many_rows(nvtxw::SessionBackend& backend) {
  constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
  constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  (void)open_sample_stream(backend);
  (void)add_schema(backend, kId,
                   {{NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN, kInt64},
                    {NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END, kInt64},
                    {0, NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB},
                    {0, kInt64}});
  std::vector<int64_t> rows;
  std::vector<int64_t> times;
  for (int64_t i = 0; i < 150; ++i) {
    rows.insert(rows.end(), {i * 1000, i * 1000 + i % 7, i % 2 * 0xFF00FF, 77});
    times.push_back(i * 64);
  }
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.events = rows.data();
  batch.size = rows.size() * sizeof(int64_t);
  (void)backend.event_batch(0, batch);
  nvtxCounterAttr_t counter = {};
  counter.structSize = sizeof(counter);
  counter.schemaId = kInt64;
  counter.counterId = kId + 5;
  (void)backend.counter(0, counter);
  const nvtxCounterBatch_t samples = {kId + 5, times.data(), times.size() * sizeof(int64_t),
                                      0,       times.data(), times.size() * sizeof(int64_t)};
  (void)backend.counter_batch(0, samples);
}

}  // namespace

std::vector<std::string> ringscribe::fuzz_seeds() {
  const auto sample = [](nvtxw::SessionBackend& backend) { (void)make_sample_calls(backend); };
  std::vector<std::string> seeds;
  for (const char target : {'\0', '\1'}) {
    for (const char* codec : {"raw", "compact"}) {
      seeds.push_back(recorded(target, codec, sample));
      seeds.push_back(recorded(target, codec, make_pointer_calls));
      seeds.push_back(recorded(target, codec, make_many_rows));
    }
  }
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Each refused call is a sentence; a million of them help nobody.
  static const int silenced = setenv("RINGSCRIBE_LOG", "off", 1);
  static nvtxw::MemoryFile file("journal");
  fuzz_require(silenced == 0, "the log is off");
  FuzzInput input(data, size);
  const bool uses_interface = input.flag();
  Bytes bytes = input.rest();
  replay_into(uses_interface, file.write(bytes));
  sign(bytes);
  replay_into(uses_interface, file.write(bytes));
  return 0;
}
