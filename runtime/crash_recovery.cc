// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/crash_recovery.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "ringscribe/runtime/call_site.h"
#include "ringscribe/runtime/crash_folder.h"
#include "ringscribe/runtime/definition_log.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/record_check.h"
#include "ringscribe/runtime/recorder.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe::runtime {

namespace {

Status unusable(const std::string& folder, const std::string& why) {
  return Status(ResultCode::kInvalidArgument, "cannot recover \"" + folder + "\": " + why);
}

// A file of the folder, whole. Fails where it is missing, a link, or no plain file.
bool read_file(const std::string& path, std::vector<uint8_t>& bytes) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat info = {};
  bool is_read = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (is_read) bytes.resize(static_cast<size_t>(info.st_size));
  for (size_t at = 0; is_read && at < bytes.size();) {
    const ssize_t got = ::read(fd, bytes.data() + at, bytes.size() - at);
    if (got == 0) bytes.resize(at);
    if (got < 0 && errno != EINTR) is_read = false;
    if (got > 0) at += static_cast<size_t>(got);
  }
  ::close(fd);
  return is_read;
}

template <typename T>
bool copy_out(std::span<const uint8_t> bytes, size_t at, T& value) {
  if (bytes.size() < sizeof(T) || at > bytes.size() - sizeof(T)) return false;
  std::memcpy(static_cast<void*>(&value), bytes.data() + at, sizeof(T));
  return true;
}

// What of CrashControl counts, copied out of a file.
struct Control {
  CrashControl::Commit commit;
  int32_t signal = 0;
  int64_t signal_monotonic_ns = 0;
  int64_t signal_realtime_ns = 0;
};

bool read_control(const std::string& folder, Control& control) {
  std::vector<uint8_t> bytes;
  if (!read_file(folder + "/control", bytes) || bytes.size() < sizeof(CrashControl) ||
      std::memcmp(bytes.data(), CrashControl::kMagic, sizeof CrashControl::kMagic) != 0)
    return false;
  uint64_t epoch = 0;
  copy_out(bytes, offsetof(CrashControl, epoch), epoch);
  copy_out(bytes, offsetof(CrashControl, commits) + epoch % 2 * sizeof(CrashControl::Commit),
           control.commit);
  copy_out(bytes, offsetof(CrashControl, signal), control.signal);
  copy_out(bytes, offsetof(CrashControl, signal_monotonic_ns), control.signal_monotonic_ns);
  copy_out(bytes, offsetof(CrashControl, signal_realtime_ns), control.signal_realtime_ns);
  return true;
}

// A live process holds a lock (crash_folder.h). Fails, too, where there is no lock to ask.
Status check_dead(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return unusable(folder, "it has no file \"lock\" that can be opened (" +
                                std::string(std::strerror(errno)) +
                                "): name a folder that a process has left in RINGSCRIBE_CRASH_DIR");
  struct flock request = {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  const bool held = ::fcntl(fd, F_GETLK, &request) == 0 && request.l_type != F_UNLCK;
  ::close(fd);
  if (!held) return Status();
  return unusable(folder, "process " + std::to_string(request.l_pid) +
                              " is still recording into it: end it first");
}

// The log's visitor that finds the sessions.
class FindSessions : public LogVisitor {
 public:
  explicit FindSessions(DeadProcess& process) : process_(process) {}
  void process(const LoggedProcess& entry) override {
    process_.pid = entry.pid;
    process_.name = std::string(entry.name);
    process_.begin_realtime_ns = entry.begin.realtime_ns;
  }
  void session(const LoggedSession& entry) override {
    DeadSession session;
    session.number = entry.session;
    session.name = std::string(entry.name);
    session.backend = std::string(entry.backend);
    session.output = std::string(entry.output);
    process_.sessions.push_back(std::move(session));
  }
  void session_end(const LoggedSessionEnd& entry) override {
    std::erase_if(process_.sessions,
                  [&](const DeadSession& session) { return session.number == entry.session; });
  }
  void domain(const LoggedDomain&) override {}
  void stream(const LoggedStream&) override {}
  void stream_end(const LoggedStreamEnd&) override {}
  void call_site(const LoggedCallSite&) override {}
  void definition(const LoggedDefinition& entry) override { destroy(entry.definition); }

 private:
  DeadProcess& process_;
};

// The log's visitor that gives a session its definitions back.
class Restore : public LogVisitor {
 public:
  Restore(Runtime& runtime, SessionState& session, uint32_t number)
      : runtime_(runtime), session_(session), number_(number) {}

  void process(const LoggedProcess& entry) override {
    runtime_.tables().process_id = entry.pid;
    runtime_.tables().process_name = entry.name;
  }
  void session(const LoggedSession&) override {}
  void session_end(const LoggedSessionEnd&) override {}
  void domain(const LoggedDomain& entry) override {
    if (entry.session != number_) return;
    Status status;
    // Our own domain is there already, with a number of this process.
    if (DomainState* domain = session_.domain(entry.name, status, entry.number); domain != nullptr)
      domains_[entry.number] = domain;
  }
  void stream(const LoggedStream& entry) override {
    if (entry.session == number_) streams_[entry.number] = entry;
  }
  void stream_end(const LoggedStreamEnd& entry) override { streams_.erase(entry.number); }
  void call_site(const LoggedCallSite& entry) override { restore_call_site(entry.id, entry.text); }
  void definition(const LoggedDefinition& entry) override {
    const auto domain = domains_.find(entry.domain);
    if (domain == domains_.end()) return destroy(entry.definition);
    (void)domain->second->restore(entry.definition);
  }

  // Opens the streams that were open. Their numbers there, and here.
  std::map<uint32_t, uint16_t> open_streams() {
    std::map<uint32_t, uint16_t> numbers;
    for (const auto& [number, entry] : streams_) {
      const auto domain = domains_.find(entry.domain);
      if (domain == domains_.end()) continue;
      SessionState::NewStream stream;
      stream.name = entry.name;
      stream.domain = domain->second;
      stream.time_domain = entry.time_domain;
      stream.interleaving = entry.interleaving;
      stream.ordering = entry.ordering;
      stream.skid = entry.skid;
      stream.skid_amount = entry.skid_amount;
      stream.options = {entry.is_live, entry.is_ordered, entry.scope_id};
      Status status;
      const StreamRef ref = runtime_.open_stream(session_, stream, status);
      if (ref.number() != 0) numbers[number] = ref.number();
    }
    return numbers;
  }

 private:
  Runtime& runtime_;
  SessionState& session_;
  const uint32_t number_;
  std::map<uint32_t, DomainState*> domains_;
  std::map<uint32_t, LoggedStream> streams_;
};

// A ring's file, checked.
struct RingImage {
  std::vector<uint8_t> file;
  uint64_t capacity = 0;
  uint64_t write_pos = 0;
  RingFileHeader::Position from;
  OpenRanges open;

  const uint8_t* at(uint64_t pos) const {
    return file.data() + kRingPageBytes + (pos & (capacity - 1));
  }
};

bool read_ring(const std::string& path, uint64_t number, const Control& control, RingImage& ring) {
  RingFileHeader header;
  if (!read_file(path, ring.file) || !copy_out(ring.file, RingFileHeader::kAt, header) ||
      std::memcmp(header.magic, RingFileHeader::kMagic, sizeof header.magic) != 0)
    return false;
  ring.capacity = header.capacity;
  ring.from = header.committed;
  if (control.commit.ring == number) ring.from = control.commit.position;
  if (!copy_out(ring.file, header.write_pos_at, ring.write_pos) ||
      !copy_out(ring.file, RingFileHeader::kOpenRangesAt, ring.open))
    return false;
  ring.open.depth = std::min(ring.open.depth, OpenRanges::kMax);
  const bool is_whole = std::has_single_bit(ring.capacity) && ring.capacity >= 4096 &&
                        ring.file.size() >= kRingPageBytes &&
                        ring.file.size() - kRingPageBytes >= ring.capacity;
  return is_whole && ring.from.read_pos % 8 == 0 && ring.write_pos % 8 == 0 &&
         ring.write_pos >= ring.from.read_pos &&
         ring.write_pos - ring.from.read_pos <= ring.capacity;
}

// Puts records into the calling thread's ring, which the flusher reads.
class Feeder {
 public:
  explicit Feeder(Runtime& runtime) : runtime_(runtime), ring_(adopt_ring()) {}

  bool has_ring() const { return ring_ != nullptr; }
  uint8_t* claim(uint64_t bytes) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (ring_->claim(bytes, claim_)) return claim_.data;
      if (ring_->claim_after_refresh(bytes, 0, claim_)) return claim_.data;
      ring_->restore(claim_);
      runtime_.flusher().step();
    }
    return nullptr;
  }
  void commit(uint64_t bytes) { ring_->commit(claim_, bytes); }

 private:
  Runtime& runtime_;
  SpscRing* ring_;
  SpscRing::Claim claim_;
};

void feed_thread(Feeder& feeder, const SpscRing::Thread& thread) {
  uint8_t* to = feeder.claim(32);
  if (to == nullptr) return;
  store_word(to, make_header(RecordKind::kThread, 0, 0, 32));
  store_word(to + 8, pack_words(thread.number, thread.system_id));
  std::memcpy(to + 16, thread.name, sizeof thread.name);
  feeder.commit(32);
}

// What the thread had begun and not ended, as pushes without a pop. `last_begin`: of the last range
// that ended; it may still stand among the open ones.
void feed_open_ranges(const RingImage& ring, int64_t last_begin,
                      const std::map<uint32_t, uint16_t>& numbers, Feeder& feeder) {
  for (uint32_t i = 0; i < ring.open.depth; ++i) {
    const OpenRanges::Range& range = ring.open.ranges[i];
    const Header header = parse_header(range.header);
    const auto stream = numbers.find(header.stream);
    if (range.begin == last_begin || header.kind != RecordKind::kPush || header.id == 0 ||
        header.record_bytes != 16 || stream == numbers.end())
      continue;
    uint8_t* to = feeder.claim(16);
    if (to == nullptr) return;
    store_word(to, (range.header & ~uint64_t{0xFFFF}) | stream->second);
    store_word(to + 8, static_cast<uint64_t>(range.begin));
    feeder.commit(16);
  }
}

// The records of the streams in `numbers`, which get the numbers that they have here.
void feed(const RingImage& ring, const RecordCheck& check,
          const std::map<uint32_t, uint16_t>& numbers, Feeder& feeder, RecoveredRings& result) {
  feed_thread(feeder, ring.from.reading);
  uint64_t pos = ring.from.read_pos;
  int64_t last_begin = INT64_MIN;  // of the last scoped range
  while (pos != ring.write_pos) {
    const uint64_t lap_rest = ring.capacity - (pos & (ring.capacity - 1));
    const uint64_t rest = std::min(ring.write_pos - pos, lap_rest);
    const uint64_t word = load_word(ring.at(pos));
    Header header = parse_header(word);
    // A filler may be cut by nothing but the lap's end; no record crosses it.
    if (header.record_bytes < 8 || header.record_bytes > rest) break;
    const bool is_own = numbers.contains(header.stream);
    const bool is_ours = is_own || header.kind == RecordKind::kThread;
    if (is_ours && !check.is_right(header, ring.at(pos))) break;
    if (is_ours) {
      uint8_t* to = feeder.claim(header.record_bytes);
      if (to == nullptr) break;
      std::memcpy(to, ring.at(pos), header.record_bytes);
      if (is_own) store_word(to, (word & ~uint64_t{0xFFFF}) | numbers.at(header.stream));
      feeder.commit(header.record_bytes);
    }
    if (header.kind == RecordKind::kRange)
      last_begin = static_cast<int64_t>(load_word(ring.at(pos) + 8));
    pos += header.record_bytes;
  }
  result.unreadable_bytes += ring.write_pos - pos;
  if (pos == ring.write_pos) feed_open_ranges(ring, last_begin, numbers, feeder);
}

std::vector<uint64_t> ring_numbers(const std::string& folder) {
  std::vector<uint64_t> numbers;
  if (DIR* list = ::opendir(folder.c_str()); list != nullptr) {
    while (const dirent* entry = ::readdir(list)) {
      const std::string name(entry->d_name);
      if (!name.starts_with("ring-")) continue;
      const uint64_t number = std::strtoull(name.c_str() + 5, nullptr, 10);
      if (name == "ring-" + std::to_string(number)) numbers.push_back(number);
    }
    ::closedir(list);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string how_it_ended(const DeadProcess& process) {
  std::string text = "process " + std::to_string(process.pid) + " (" + process.name + ") ended ";
  if (process.signal == 0) return text + "without ending its session: killed, or by _exit";
  const char* name = ::sigabbrev_np(process.signal);
  return text + "by signal " + std::to_string(process.signal) +
         (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
}

}  // namespace

Result<DeadProcess> read_crash_folder(const std::string& folder) {
  if (Status status = check_dead(folder); !status.ok()) return status;
  DeadProcess process;
  process.folder = folder;
  Control control;
  if (!read_control(folder, control))
    return unusable(folder, "its file \"control\" is missing, or of another version");
  process.signal = control.signal;
  const bool has_signal = control.signal != 0;
  process.end_monotonic_ns = has_signal ? control.signal_monotonic_ns : control.commit.monotonic_ns;
  process.end_realtime_ns = has_signal ? control.signal_realtime_ns : control.commit.realtime_ns;
  std::vector<uint8_t> log;
  if (!read_file(folder + "/definitions", log))
    return unusable(folder, "its file \"definitions\" cannot be read");
  FindSessions find(process);
  if (Status status = read_definition_log(log, find); !status.ok())
    return unusable(folder, status.message());
  for (DeadSession& session : process.sessions) {
    const std::string path = folder + "/session-" + std::to_string(session.number) + ".rsj";
    const uint64_t bytes = control.commit.journal_bytes[session.number % kCrashSessions];
    if (bytes == 0 || ::access(path.c_str(), R_OK) != 0) continue;
    session.journal = path;
    session.journal_bytes = bytes;
  }
  return process;
}

Result<RecoveredRings> recover_rings(const DeadProcess& process, const DeadSession& session,
                                     const nvtxwInterface_v2_t& table) {
  Control control;
  std::vector<uint8_t> log;
  if (!read_control(process.folder, control) || !read_file(process.folder + "/definitions", log))
    return unusable(process.folder, "its files have changed meanwhile");
  Settings settings;
  settings.huge_pages = false;
  Runtime runtime(settings, Runtime::Drive::kByHand);
  Runtime::BeginOptions options;
  options.interface = &table;
  options.is_recovery = true;
  Result<std::shared_ptr<SessionState>> begun = runtime.begin_session(session.name, options);
  if (!begun.ok()) return begun.status();
  SessionState& state = **begun;
  Restore restore(runtime, state, session.number);
  if (Status status = read_definition_log(log, restore); !status.ok())
    return unusable(process.folder, status.message());
  const std::map<uint32_t, uint16_t> numbers = restore.open_streams();
  RecoveredRings result;
  const RecordCheck check(runtime.tables());
  Feeder feeder(runtime);
  if (!feeder.has_ring())
    return Status(ResultCode::kFailed, "no memory for a ring to recover with");
  for (const uint64_t number : ring_numbers(process.folder)) {
    RingImage ring;
    const std::string path = process.folder + "/ring-" + std::to_string(number);
    if (!read_ring(path, number, control, ring)) {
      result.unreadable_bytes += ring.capacity;
      continue;
    }
    ++result.rings;
    feed(ring, check, numbers, feeder, result);
    runtime.flusher().step();
  }
  state.write_own_mark(how_it_ended(process), process.end_monotonic_ns);
  const Status ended = runtime.end_session(*begun);
  const Counts counts = state.counts();
  result.events = counts.recorded;
  result.refused = counts.lost();
  return ended.ok() || counts.lost() != 0 ? Result<RecoveredRings>(result)
                                          : Result<RecoveredRings>(ended);
}

}  // namespace ringscribe::runtime
