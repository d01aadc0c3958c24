// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/crash_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "ringscribe/runtime/log.h"

namespace ringscribe::runtime {

namespace {

constexpr int kNewFile = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
// Folders that dead processes left are removed when they are older, or more, than this.
constexpr time_t kKeepSeconds = 7 * 24 * 3600;
constexpr uint64_t kKeepBytes = uint64_t{4} << 30;
constexpr int kNamesMax = 16;

bool is_ours(const char* name) noexcept {
  const std::string_view text(name);
  return text == "lock" || text == "control" || text == "definitions" ||
         text.starts_with("ring-") || (text.starts_with("session-") && text.ends_with(".rsj"));
}

template <typename Visit>
void for_each_entry(int folder, Visit visit) noexcept {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = copy < 0 ? nullptr : ::fdopendir(copy);
  if (list == nullptr) {
    if (copy >= 0) ::close(copy);
    return;
  }
  while (const dirent* entry = ::readdir(list))
    if (entry->d_name[0] != '.') visit(entry->d_name);
  ::closedir(list);
}

void remove_folder(int parent, const char* name, int folder) noexcept {
  for_each_entry(folder, [folder](const char* file) {
    if (is_ours(file)) ::unlinkat(folder, file, 0);
  });
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

int64_t read_clock(clockid_t clock) noexcept {
  timespec now = {};
  ::clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// By the calendar, a little early; 0 if it is not known.
int64_t process_begin_ms() noexcept {
  char text[1024] = {};
  const int fd = ::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  const char* at = size > 0 ? std::strrchr(text, ')') : nullptr;  // behind the name
  for (int field = 2; at != nullptr && field < 22; ++field) {
    at = std::strchr(at + 1, ' ');
  }
  if (at == nullptr) return 0;
  const int64_t began_ms = std::atoll(at) * 1000 / ::sysconf(_SC_CLK_TCK);
  const int64_t age_ms = read_clock(CLOCK_BOOTTIME) / 1'000'000 - began_ms;
  return read_clock(CLOCK_REALTIME) / 1'000'000 - age_ms - 1000;
}

// Of another copy of ringscribe in this process: looking at its lock would lose it, as a process's
// locks on a file go when it closes any descriptor of that file.
bool is_of_this_process(const char* name) noexcept {
  const std::string_view text(name);
  const std::string pid = "-" + std::to_string(::getpid()) + "-";
  const size_t at = text.rfind(pid);
  if (at == std::string_view::npos) return false;
  // In a container each process has the number that the last one had: it began later.
  return std::atoll(name + at + pid.size()) >= process_begin_ms();
}

bool is_locked(int folder) noexcept {
  const int lock = ::openat(folder, "lock", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (lock < 0) return true;  // being made, or none of ours: hands off
  struct flock request = {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  const bool held = ::fcntl(lock, F_GETLK, &request) != 0 || request.l_type != F_UNLCK;
  ::close(lock);
  return held;
}

struct Leftover {
  String name;
  time_t changed;
  uint64_t bytes;
};

void remove_old_folders(int parent) noexcept {
  Vector<Leftover> leftovers;
  for_each_entry(parent, [&](const char* name) {
    if (is_of_this_process(name)) return;
    const int folder = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    struct stat info = {};
    if (::fstat(folder, &info) == 0 && info.st_uid == ::geteuid() && !is_locked(folder)) {
      uint64_t bytes = 0;
      for_each_entry(folder, [&](const char* file) {
        struct stat one = {};
        if (::fstatat(folder, file, &one, AT_SYMLINK_NOFOLLOW) == 0)
          bytes += static_cast<uint64_t>(one.st_blocks) * 512;
      });
      leftovers.push_back({name, info.st_mtime, bytes});
    }
    ::close(folder);
  });
  std::sort(leftovers.begin(), leftovers.end(),
            [](const Leftover& a, const Leftover& b) { return a.changed > b.changed; });
  const time_t now = ::time(nullptr);
  uint64_t kept = 0;
  for (const Leftover& leftover : leftovers) {
    kept += leftover.bytes;
    if (kept <= kKeepBytes && now - leftover.changed <= kKeepSeconds) continue;
    const int folder =
        ::openat(parent, leftover.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    remove_folder(parent, leftover.name.c_str(), folder);
    ::close(folder);
    log(LogLevel::kInfo, "crash folder: \"%s\", which a dead process left, is old and was removed",
        leftover.name.c_str());
  }
}

// Not through a symbolic link that somebody else has made: what is old behind it would be removed.
int open_parent(String path) noexcept {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const int fd = ::open(path.c_str(), kFlags | O_NOFOLLOW);
  struct stat info = {};
  if (fd >= 0 || ::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return fd;
  if (info.st_uid == ::geteuid() || info.st_uid == 0) return ::open(path.c_str(), kFlags);
  errno = ELOOP;
  return -1;
}

String program_name() {
  char name[32] = "process";
  if (FILE* file = std::fopen("/proc/self/comm", "re"); file != nullptr) {
    if (std::fgets(name, sizeof name, file) != nullptr) name[std::strcspn(name, "\n")] = '\0';
    std::fclose(file);
  }
  for (char* c = name; *c != '\0'; ++c)
    if (*c == '/' || *c == '.' || static_cast<unsigned char>(*c) < ' ') *c = '_';
  return name;
}

void ring_name(uint64_t number, char (&name)[32]) noexcept {
  std::snprintf(name, sizeof name, "ring-%llu", static_cast<unsigned long long>(number));
}

RingFileHeader& header_of(SpscRing& ring) noexcept {
  return *reinterpret_cast<RingFileHeader*>(reinterpret_cast<uint8_t*>(&ring) +
                                            RingFileHeader::kAt);
}

// For the handler, which may read nothing else.
std::atomic<CrashControl*> g_control{nullptr};
std::atomic<pid_t> g_pid{0};
constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// Notes the signal, and lets it have the effect that it would have had. Async-signal-safe.
void note_signal(int number) {
  CrashControl* control = g_control.load(std::memory_order_relaxed);
  if (control != nullptr && ::getpid() == g_pid.load(std::memory_order_relaxed)) {
    control->signal_monotonic_ns = read_clock(CLOCK_MONOTONIC);
    control->signal_realtime_ns = read_clock(CLOCK_REALTIME);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    control->signal.store(number, std::memory_order_relaxed);
  }
  // Where it was raised by an instruction, that runs again; else it is raised again.
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

CrashFolder::CrashFolder(int folder_fd, int definitions_fd, String path)
    : folder_(folder_fd), path_(std::move(path)), definitions_(definitions_fd) {}

CrashFolder* CrashFolder::create(std::string_view parent, const SyncPoint& begin) noexcept {
  const auto give_up = [&](const char* what) {
    log(LogLevel::kWarn,
        "RINGSCRIBE_CRASH_DIR=\"%.*s\": %s (errno %d): events will not be recoverable after a "
        "crash",
        static_cast<int>(parent.size()), parent.data(), what, errno);
    return static_cast<CrashFolder*>(nullptr);
  };
  const String parent_path(parent);
  if (::mkdir(parent_path.c_str(), 0700) != 0 && errno != EEXIST)
    return give_up("the folder cannot be made");
  const int parent_fd = open_parent(parent_path);
  if (parent_fd < 0) return give_up("it is no folder that can be opened");
  remove_old_folders(parent_fd);
  const String program = program_name();
  String name;
  int folder = -1;
  // What has the name already is of another copy in this process, or of somebody who guessed it.
  for (int i = 0; i < kNamesMax; ++i) {
    name = program + "-" + String(std::to_string(::getpid())) + "-" +
           String(std::to_string(begin.realtime_ns / 1'000'000 + i));
    if (::mkdirat(parent_fd, name.c_str(), 0700) == 0) {
      folder = nvtxw::above_standard_streams(
          ::openat(parent_fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      break;
    }
    if (errno != EEXIST) break;
  }
  ::close(parent_fd);
  if (folder < 0) return give_up("no folder can be made in it");
  const int definitions =
      nvtxw::above_standard_streams(::openat(folder, "definitions", kNewFile | O_APPEND, 0600));
  auto* made = ::new (allocate(sizeof(CrashFolder), alignof(CrashFolder)))
      CrashFolder(folder, definitions, parent_path + "/" + name);
  if (definitions < 0 || !made->make_lock() || !made->map_control()) {
    const int error = errno;
    destroy(made);
    errno = error;
    return give_up("no file can be made in it");
  }
  made->definitions_.add(
      LoggedProcess{::getpid(), program, static_cast<uint32_t>(clock_kind()), begin});
  made->catch_signals();
  return made;
}

CrashFolder::~CrashFolder() {
  if (control_ != nullptr) {
    g_control.store(nullptr, std::memory_order_relaxed);
    ::munmap(control_, sizeof *control_);
  }
  remove();
  for (nvtxw::OwnFile& journal : journals_) (void)journal.close();
  (void)lock_.close();
  (void)folder_.close();
}

void CrashFolder::remove() noexcept {
  for (const nvtxw::OwnFile& journal : journals_)
    if (journal.fd() >= 0) return;
  if (!folder_.is_open()) return;  // the program closed it: what the number is of is not ours
  const size_t slash = path_.rfind('/');
  const int parent = ::open(path_.substr(0, slash).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return;
  remove_folder(parent, path_.c_str() + slash + 1, folder_.fd());
  ::close(parent);
}

bool CrashFolder::make_lock() noexcept {
  lock_ =
      nvtxw::OwnFile(nvtxw::above_standard_streams(::openat(folder_.fd(), "lock", kNewFile, 0600)));
  struct flock request = {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  // A file system without locks: then a tool cannot tell that we live, but all else works.
  if (lock_.fd() >= 0) (void)::fcntl(lock_.fd(), F_SETLK, &request);
  return lock_.fd() >= 0;
}

bool CrashFolder::map_control() noexcept {
  const int fd = nvtxw::above_standard_streams(::openat(folder_.fd(), "control", kNewFile, 0600));
  if (fd < 0) return false;
  void* memory = MAP_FAILED;
  // Real blocks: a full disk has to show here, not as SIGBUS.
  if (::posix_fallocate(fd, 0, sizeof(CrashControl)) == 0)
    memory = ::mmap(nullptr, sizeof(CrashControl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory == MAP_FAILED) return false;
  control_ = static_cast<CrashControl*>(memory);  // zeros: no commit yet, no signal
  std::memcpy(control_->magic, CrashControl::kMagic, sizeof control_->magic);
  return true;
}

void CrashFolder::catch_signals() noexcept {
  g_pid.store(::getpid(), std::memory_order_relaxed);
  g_control.store(control_, std::memory_order_relaxed);
  for (const int number : kFatalSignals) {
    struct sigaction before = {};
    // The application's own handlers are left alone.
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
  }
}

SpscRing* CrashFolder::create_ring(uint64_t capacity_bytes) noexcept {
  const uint64_t number = next_ring_.fetch_add(1, std::memory_order_relaxed);
  char name[32];
  ring_name(number, name);
  errno = EBADF;
  const int fd = folder_.is_open()
                     ? nvtxw::above_standard_streams(::openat(folder_.fd(), name, kNewFile, 0600))
                     : -1;
  // Real blocks: see map_control().
  const auto file_bytes = static_cast<off_t>(kRingPageBytes + capacity_bytes);
  SpscRing* ring = nullptr;
  int error = fd < 0 ? errno : ::posix_fallocate(fd, 0, file_bytes);
  if (error == 0) {
    ring = SpscRing::create_in_file(fd, capacity_bytes, kRingPageBytes, number);
    if (ring == nullptr) error = errno;
  }
  if (fd >= 0) ::close(fd);
  if (ring == nullptr) {
    if (fd >= 0) ::unlinkat(folder_.fd(), name, 0);
    if (!has_complained_.exchange(true, std::memory_order_relaxed))
      log(LogLevel::kWarn,
          "crash folder \"%s\": no ring can be made in it (errno %d): what a thread records is not "
          "recoverable until it is written",
          path_.c_str(), error);
    return nullptr;
  }
  RingFileHeader& header = header_of(*ring);
  header.capacity = capacity_bytes;
  header.write_pos_at = ring->write_pos_offset();
  header.committed = {};
  ring->keep_open_ranges_in(reinterpret_cast<OpenRanges*>(reinterpret_cast<uint8_t*>(ring) +
                                                          RingFileHeader::kOpenRangesAt));
  std::memcpy(header.magic, RingFileHeader::kMagic, sizeof header.magic);
  return ring;
}

void CrashFolder::destroy_ring(SpscRing* ring) noexcept {
  char name[32];
  ring_name(ring->file_number(), name);
  if (folder_.is_open()) ::unlinkat(folder_.fd(), name, 0);
  SpscRing::destroy(ring);
}

String CrashFolder::journal_path(uint32_t number) const {
  if (journals_[number % kCrashSessions].fd() >= 0) return String();
  return path_ + "/session-" + String(std::to_string(number)) + ".rsj";
}

bool CrashFolder::add_journal(uint32_t number) noexcept {
  const String path = journal_path(number);
  if (path.empty()) return false;
  const int fd =
      nvtxw::above_standard_streams(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  journals_[number % kCrashSessions] = nvtxw::OwnFile(fd);
  return fd >= 0;
}

void CrashFolder::remove_journal(uint32_t number) noexcept {
  nvtxw::OwnFile& journal = journals_[number % kCrashSessions];
  if (journal.fd() < 0) return;
  (void)journal.close();
  ::unlink(journal_path(number).c_str());
}

void CrashFolder::commit(SpscRing* ring, uint64_t pos) noexcept {
  const uint64_t epoch = control_->epoch.load(std::memory_order_relaxed) + 1;
  CrashControl::Commit& commit = control_->commits[epoch % 2];
  commit.ring = 0;
  RingFileHeader::Position position;
  if (ring != nullptr && ring->file_number() == 0) ring = nullptr;
  if (ring != nullptr) {
    position = {pos, ring->reading};
    commit.ring = ring->file_number();
    commit.position = position;
  }
  commit.monotonic_ns = read_clock(CLOCK_MONOTONIC);
  commit.realtime_ns = read_clock(CLOCK_REALTIME);
  for (size_t i = 0; i < kCrashSessions; ++i) {
    struct stat info = {};
    const int fd = journals_[i].fd();
    const bool is_open = fd >= 0 && ::fstat(fd, &info) == 0;
    commit.journal_bytes[i] = is_open ? static_cast<uint64_t>(info.st_size) : 0;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // K1
  control_->epoch.store(epoch, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // K2
  if (ring != nullptr) {
    header_of(*ring).committed = position;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // before the next commit
  }
}

}  // namespace ringscribe::runtime
