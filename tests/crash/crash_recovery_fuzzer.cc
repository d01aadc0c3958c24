// SPDX-License-Identifier: Apache-2.0
//
// Any bytes in the files of a crash folder. A child of ours dies and leaves one, with all kinds of
// records and definitions; an input is a list of changes to its files. What is recovered then must
// end, stay inside its memory, and make calls that the model can read.
//
// An input: changes of 12 bytes each: file, what (below), 16-bit place in its first 64 KiB, value.
#include <ringscribe/ringscribe.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/backend_format.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"
#include "ringscribe/backends/nvtxw/fuzz_target.h"
#include "ringscribe/backends/nvtxw/interface_table.h"
#include "ringscribe/runtime/crash_recovery.h"

namespace {

namespace fs = std::filesystem;
namespace rs = ringscribe;

struct Point {
  float x, y;
};
RINGSCRIBE_SCHEMA(Point, FIELD(x), FIELD(y));
enum class Side : uint8_t { buy, sell = 7 };
RINGSCRIBE_ENUM(Side, buy, sell);
struct Deal {
  int64_t time;
  Point corners[2];
  Side side;
  rs::RegisteredString symbol;
};
RINGSCRIBE_SCHEMA(Deal, MARK(time), FIELD(corners), FIELD(side), FIELD(symbol));
struct Query {
  int64_t begin, end;
  rs::Text sql;
  rs::Array<Point> path;
};
RINGSCRIBE_SCHEMA(Query, RANGE_BEGIN(begin), RANGE_END(end), MESSAGE(sql), FIELD(path));

rs::Result<std::unique_ptr<rs::nvtxw::SessionBackend>> open_target(
    const rs::nvtxw::SessionConfig&) {
  return rs::make_fuzz_target();
}
constexpr rs::nvtxw::BackendFormat kFormats[] = {{"model", "", open_target, {}}};
constexpr rs::nvtxw::FormatTable kTable = {kFormats, "model"};

// The child's life. What it records stays in its ring: nobody reads it.
[[noreturn]] void record_and_die(const std::string& parent) {
  ::setenv("RINGSCRIBE_CRASH_DIR", parent.c_str(), 1);
  ::setenv("RINGSCRIBE_BUFFER_SIZE", "16K", 1);
  ::setenv("RINGSCRIBE_FLUSH_INTERVAL", "10s", 1);
  ::setenv("RINGSCRIBE_FLUSH_WATERMARK", "0", 1);
  auto session = rs::Session::begin("doomed", {.interface = rs::nvtxw::make_interface(&kTable)});
  if (!session.ok()) ::_exit(1);
  rs::Domain domain = session->get_domain("crash");
  const rs::Stream live = session->live_stream("live", domain);
  const rs::Stream stream =
      session->create_stream("explicit", {.domain = domain, .scope = domain.get_scope("a/b")});
  const auto schema = domain.get_schema<Deal>(rs::EventKind::kMark);
  const auto queries = domain.get_schema<Query>(rs::EventKind::kRangePushPop);
  const std::vector<Point> path = {{1, 2}, {3, 4}};
  const auto counter = domain.get_counter<double>("counter");
  const auto symbol = domain.get_registered_string("symbol");
  for (int64_t i = 0; i < 6; ++i) {
    RINGSCRIBE_RANGE(live, "range", {.color = rs::color::green, .category = "hot"});
    RINGSCRIBE_MARK(live, "mark");
    RINGSCRIBE_SAMPLE(live, counter, 2.5);
    (void)live.mark({.message = std::string_view("made at run time")});
    stream.write_mark(i, {.message = symbol, .category = domain.get_category("named")});
    stream.write_pushpop(i, i + 1, {.message = std::string_view("explicit")});
    const rs::RangeId id = stream.write_start(i, {.message = symbol});
    stream.write_end(i + 2, id);
    Deal deals[3] = {{i, {}, Side::sell, symbol}, {i, {}, Side::buy, {}}, {i, {}, Side::buy, {}}};
    stream.write_event(schema, deals[0]);
    stream.write_event_batch(schema, deals);
    stream.write_event(queries, {i, i + 1, "select", path});
    stream.write_counter_sample(counter, i, 1.5);
    RINGSCRIBE_RANGE(live, "open");
    if (i == 5) ::_exit(0);
  }
  ::_exit(1);
}

// The folder as the child left it; put back after each input.
class CrashFolder {
 public:
  CrashFolder() {
    char name[] = "/dev/shm/rs_fuzz_XXXXXX";
    parent_ = ::mkdtemp(name) != nullptr ? name : "";
    rs::fuzz_require(!parent_.empty(), "a folder can be made in /dev/shm");
    const pid_t child = ::fork();
    if (child == 0) record_and_die(parent_);
    int status = 1;
    ::waitpid(child, &status, 0);
    rs::fuzz_require(status == 0, "the child records, and dies as it should");
    for (const auto& entry : fs::directory_iterator(parent_)) folder_ = entry.path().string();
    for (const auto& entry : fs::directory_iterator(folder_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files_.push_back({entry.path().string(), {std::istreambuf_iterator<char>(file), {}}});
    }
    std::sort(files_.begin(), files_.end());
  }
  ~CrashFolder() { fs::remove_all(parent_); }
  CrashFolder(const CrashFolder&) = delete;
  CrashFolder& operator=(const CrashFolder&) = delete;

  const std::string& path() const { return folder_; }
  void change(rs::FuzzInput& input) {
    std::set<size_t> touched;
    std::vector<std::string> bytes;
    for (const File& file : files_) bytes.push_back(file.bytes);
    while (!input.empty()) {
      const size_t number = input.below(files_.size());
      std::string& all = bytes[number];
      touched.insert(number);
      const uint64_t what = input.below(16);
      const auto place = input.number<uint16_t>();
      const auto value = input.number<uint64_t>();
      if (all.empty()) continue;
      const size_t at = place % all.size();
      if (what == 0) {
        all.resize(at);
      } else if (what == 1) {
        all.insert(at, 1 + value % 64, static_cast<char>(value >> 8));
      } else {  // 1, 2, 4 or 8 bytes
        const size_t size = size_t{1} << (what % 4);
        std::memcpy(all.data() + at, &value, std::min(size, all.size() - at));
      }
    }
    for (const size_t number : touched) write(files_[number].path, bytes[number]);
    touched_ = touched;
  }
  void put_back() {
    for (const size_t number : touched_) write(files_[number].path, files_[number].bytes);
  }

 private:
  struct File {
    std::string path;
    std::string bytes;
    bool operator<(const File& other) const { return path < other.path; }
  };
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  std::string parent_, folder_;
  std::vector<File> files_;
  std::set<size_t> touched_;
};

uint64_t recover(const std::string& folder) {
  rs::Result<rs::runtime::DeadProcess> process = rs::runtime::read_crash_folder(folder);
  if (!process.ok()) return 0;
  uint64_t events = 0;
  for (const rs::runtime::DeadSession& session : process->sessions) {
    auto rings = rs::runtime::recover_rings(*process, session, *rs::nvtxw::make_interface(&kTable));
    if (rings.ok()) events += rings->events;
  }
  return events;
}

}  // namespace

// A change each: to the begin of each file, to a record in the middle, a file that is cut.
std::vector<std::string> ringscribe::fuzz_seeds() {
  std::vector<std::string> seeds = {""};
  for (const char file : {'\0', '\1', '\2', '\3', '\4'}) {
    for (const char what : {'\0', '\1', '\3', '\7'}) {
      std::string seed;
      for (const int place : {8, 80, 4096, 4224, 4300, 8200}) {
        seed += {file, what, static_cast<char>(place), static_cast<char>(place >> 8)};
        seed += std::string("\x10\x00\x02\x00\x00\x00\x01\x00", 8);
        seeds.push_back(seed);
      }
    }
  }
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int silenced = setenv("RINGSCRIBE_LOG", "off", 1);
  static CrashFolder folder;
  static const uint64_t whole = recover(folder.path());
  ringscribe::fuzz_require(silenced == 0 && whole > 50, "an unchanged folder is recovered");
  ringscribe::FuzzInput input(data, size);
  folder.change(input);
  (void)recover(folder.path());
  folder.put_back();
  return 0;
}
