// SPDX-License-Identifier: Apache-2.0
//
// Folders that others may write to: somebody who knows which names we will use leaves symbolic
// links there, and hopes that we write through them.
#include <ringscribe/ringscribe.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "ringscribe/runtime/crash_folder.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe {
namespace {

namespace fs = std::filesystem;
using runtime::CrashFolder;

constexpr uid_t kSomebodyElse = 65534;

// A folder that all may write to, and a file that is none of our business.
class Shared {
 public:
  Shared() {
    const char* base = std::getenv("TEST_TMPDIR");
    std::string pattern = std::string(base != nullptr ? base : "/tmp") + "/shared-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
    REQUIRE(::chmod(path.c_str(), 0777) == 0);
    std::ofstream(precious()) << "precious";
    before_ = ::umask(0);  // what is made 0600 is 0600 whatever the umask
  }
  ~Shared() {
    ::umask(before_);
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::string precious() const { return path + "/precious"; }
  std::string content() const {
    std::ifstream file(precious(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  // A link of somebody else's; false if we are not root and so cannot make one.
  bool plant(const std::string& link, const std::string& target) const {
    REQUIRE(::symlink(target.c_str(), link.c_str()) == 0);
    if (::lchown(link.c_str(), kSomebodyElse, kSomebodyElse) == 0) return true;
    std::printf("skipped: only root can make a link that belongs to somebody else\n");
    return false;
  }

  std::string path;

 private:
  mode_t before_;
};

mode_t mode_of(const std::string& path) {
  struct stat info = {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

std::string program_name() {
  std::ifstream file("/proc/self/comm");
  std::string name;
  std::getline(file, name);
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

struct Destroy {
  void operator()(CrashFolder* folder) const { runtime::destroy(folder); }
};
std::unique_ptr<CrashFolder, Destroy> make_crash_folder(const std::string& parent) {
  runtime::SyncPoint begin = runtime::take_sync_point();
  begin.realtime_ns = 1'234'000'000;
  return std::unique_ptr<CrashFolder, Destroy>(CrashFolder::create(parent, begin));
}
std::string name_of_crash_folder(int time) {
  return program_name() + "-" + std::to_string(::getpid()) + "-" + std::to_string(time);
}

TEST_CASE("a crash folder is not made where a link stands") {
  const Shared shared;
  {
    const auto folder = make_crash_folder(shared.path);
    REQUIRE(folder != nullptr);  // that is its name, then
    REQUIRE(std::string(folder->path()) == shared.path + "/" + name_of_crash_folder(1234));
  }
  const std::string elsewhere = shared.path + "/elsewhere";
  fs::create_directory(elsewhere);
  fs::create_directory_symlink(elsewhere, shared.path + "/" + name_of_crash_folder(1234));
  const auto check_avoided = [&] {
    const auto folder = make_crash_folder(shared.path);
    REQUIRE(folder != nullptr);
    const std::string path(folder->path());
    CHECK(path == shared.path + "/" + name_of_crash_folder(1235));
    CHECK_FALSE(fs::is_symlink(path));
    CHECK(mode_of(path) == 0700);
  };
  check_avoided();
  CHECK(fs::is_empty(elsewhere));
  // Nor where the link leads to nothing that there is.
  fs::remove(elsewhere);
  check_avoided();
  CHECK_FALSE(fs::exists(elsewhere));
  // Who takes all names gets no folder made, and nothing else.
  for (int i = 1235; i < 1300; ++i)
    fs::create_directory_symlink(elsewhere, shared.path + "/" + name_of_crash_folder(i));
  CHECK(make_crash_folder(shared.path) == nullptr);
  CHECK_FALSE(fs::exists(elsewhere));
}

TEST_CASE("no ring is made through a link in the crash folder") {
  const Shared shared;
  const auto folder = make_crash_folder(shared.path);
  REQUIRE(folder != nullptr);
  const std::string path(folder->path());
  fs::create_symlink(shared.precious(), path + "/ring-1");
  fs::create_symlink(shared.path + "/new", path + "/ring-2");
  CHECK(folder->create_ring(runtime::kSmallRingBytes) == nullptr);
  CHECK(folder->create_ring(runtime::kSmallRingBytes) == nullptr);
  CHECK(shared.content() == "precious");
  CHECK_FALSE(fs::exists(shared.path + "/new"));
  runtime::SpscRing* ring = folder->create_ring(runtime::kSmallRingBytes);
  REQUIRE(ring != nullptr);
  CHECK(mode_of(path + "/ring-3") == 0600);
  folder->destroy_ring(ring);
}

TEST_CASE("no journal is written through a link in the crash folder, and the output is whole") {
  const Shared shared;
  runtime::Settings settings;
  settings.crash_dir = runtime::String(shared.path + "/crash");
  settings.log_level = runtime::LogLevel::kOff;
  const runtime::Runtime runtime(settings, runtime::Runtime::Drive::kByHand);
  fs::path folder;
  for (const auto& entry : fs::directory_iterator(shared.path + "/crash")) folder = entry.path();
  const auto record = [&](const std::string& name) {
    auto session =
        Session::begin(name, {.backend = "journal", .output = shared.path + "/" + name + ".rsj"});
    REQUIRE(session.ok());
    Stream stream = session->live_stream("live");
    RINGSCRIBE_MARK(stream, "here");
    CHECK(session->flush().ok());
    int journals = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_symlink()) continue;
      journals += entry.path().extension() == ".rsj";
      INFO(entry.path());
      CHECK(mode_of(entry.path()) == 0600);
    }
    CHECK(session->end().ok());
    CHECK(session->stats().recorded == 1);
    CHECK(session->stats().lost() == 0);
    return journals;
  };
  CHECK(record("before") == 1);
  for (int i = 1; i < 20; ++i)
    fs::create_symlink(shared.precious(), folder / ("session-" + std::to_string(i) + ".rsj"));
  CHECK(record("after") == 0);
  CHECK(shared.content() == "precious");
}

TEST_CASE("a crash directory that is somebody else's link is refused, our own is taken") {
  const Shared shared;
  const std::string elsewhere = shared.path + "/elsewhere";
  fs::create_directory(elsewhere);
  fs::create_directory_symlink(elsewhere, shared.path + "/ours");
  CHECK(make_crash_folder(shared.path + "/ours") != nullptr);
  CHECK(fs::is_empty(elsewhere));  // removed in the end
  if (!shared.plant(shared.path + "/theirs", elsewhere)) return;
  CHECK(make_crash_folder(shared.path + "/theirs") == nullptr);
  CHECK(make_crash_folder(shared.path + "/theirs/") == nullptr);
}

// Whether the session began; if not, what was said.
bool record_to(const std::string& backend, const std::string& output, std::string& told) {
  runtime::Settings settings;
  settings.log_level = runtime::LogLevel::kOff;
  const runtime::Runtime runtime(settings, runtime::Runtime::Drive::kByHand);
  auto session = Session::begin("shared", {.backend = backend, .output = output});
  told = session.status().message();
  if (!session.ok()) return false;
  Stream stream = session->live_stream("live");
  RINGSCRIBE_MARK(stream, "here");
  CHECK(session->end().ok());
  return true;
}

bool record_to(const std::string& backend, const std::string& output) {
  std::string told;
  return record_to(backend, output, told);
}

TEST_CASE("no output is written through somebody else's link") {
  for (const char* backend : {"journal", "perfetto"}) {
    INFO(backend);
    const Shared shared;
    // A trace is written beside its name first.
    const std::string output = shared.path + "/out";
    const std::string opened = output + (std::string(backend) == "perfetto" ? ".part" : "");
    if (!shared.plant(opened, shared.precious())) return;
    std::string told;
    CHECK_FALSE(record_to(backend, output, told));
    CHECK(told.find(output) != std::string::npos);
    CHECK(shared.content() == "precious");
    // Where it leads to nothing, nothing is made there.
    fs::remove(opened);
    REQUIRE(shared.plant(opened, shared.path + "/new"));
    CHECK_FALSE(record_to(backend, output, told));
    CHECK_FALSE(fs::exists(shared.path + "/new"));
  }
}

TEST_CASE("a link of our own: a journal goes where it leads, a trace takes its place") {
  const Shared shared;
  const std::string journal = shared.path + "/a.rsj", trace = shared.path + "/a.pftrace";
  fs::create_symlink(shared.path + "/real.rsj", journal);
  CHECK(record_to("journal", journal));
  CHECK(fs::is_symlink(journal));
  CHECK(fs::file_size(shared.path + "/real.rsj") > 0);
  fs::create_symlink(shared.precious(), trace);
  CHECK(record_to("perfetto", trace));
  CHECK_FALSE(fs::is_symlink(trace));
  CHECK(fs::file_size(trace) > 0);
  CHECK(shared.content() == "precious");
}

TEST_CASE("outputs and snapshots are for their user alone, whatever the umask") {
  for (const mode_t mask : {0u, 022u, 077u}) {
    const Shared shared;
    ::umask(mask);
    CHECK(record_to("journal", shared.path + "/a.rsj"));
    CHECK(mode_of(shared.path + "/a.rsj") == 0600);
    CHECK(record_to("perfetto", shared.path + "/a.pftrace"));
    CHECK(mode_of(shared.path + "/a.pftrace") == 0600);

    runtime::Settings settings;
    settings.overflow = runtime::Overflow::kOverwrite;
    settings.log_level = runtime::LogLevel::kOff;
    const runtime::Runtime runtime(settings, runtime::Runtime::Drive::kByHand);
    auto session = Session::begin("flight", {.output = shared.path + "/flight.pftrace"});
    REQUIRE(session.ok());
    CHECK(session->snapshot(shared.path + "/snapshot.pftrace").ok());
    CHECK(mode_of(shared.path + "/snapshot.pftrace") == 0600);
    CHECK(session->end().ok());
  }
}

}  // namespace
}  // namespace ringscribe
