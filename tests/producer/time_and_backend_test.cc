// SPDX-License-Identifier: Apache-2.0
//
// Clocks of the application's own, and backends that the application loads itself.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "ringscribe/tests/producer/decoded_session.h"

namespace {

using namespace ringscribe;
using ringscribe::testing::DecodedSession;

constexpr TimestampType kMonotonic = TimestampType::kCpuClockMonotonic;

TEST_CASE("a clock of the application is converted by its sync points") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  const TimeDomain card = domain.get_time_domain({.ticks_per_second = 500'000'000});
  REQUIRE(card.ok());
  Stream stream = s.session.create_stream("s", {.domain = domain, .time_domain = card});
  const std::vector<SyncPoint> points = {{0, 1'000'000}, {1'000, 1'002'000}};
  CHECK(stream.write_sync_points(card, kMonotonic, points));
  stream.write_mark(500, {.message = "half way"});
  const auto& events = s.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].event.synchronised);
  CHECK(events[0].event.begin == 1'001'000);
}

TEST_CASE("two single sync points, and a conversion factor, do the same") {
  for (const bool by_factor : {false, true}) {
    DecodedSession s;
    Domain domain = s.session.get_domain("d");
    const TimeDomain card = domain.get_time_domain({.start = TimerStart::kSystemBoot});
    Stream stream = s.session.create_stream("s", {.domain = domain, .time_domain = card});
    if (by_factor) {
      CHECK(stream.write_conversion_factor(card, kMonotonic, 2.0, 0, 1'000'000));
    } else {
      CHECK(stream.write_sync_point(card, kMonotonic, 0, 1'000'000));
      CHECK(stream.write_sync_point(card, kMonotonic, 1'000, 1'002'000));
    }
    stream.write_mark(500);
    const auto& events = s.events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].event.begin == 1'001'000);
  }
}

TEST_CASE("a time domain of another domain is refused") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  const TimeDomain foreign = s.session.get_domain("other").get_time_domain({});
  CHECK_FALSE(s.session.create_stream("s", {.domain = domain, .time_domain = foreign}).ok());
  Stream stream = s.session.create_stream("s", {.domain = domain});
  CHECK_FALSE(stream.write_sync_point(foreign, kMonotonic, 1, 2));
  CHECK_FALSE(stream.write_sync_points(kMonotonic, kMonotonic, {}));
  CHECK_FALSE(domain.get_time_domain({.ticks_per_second = -1}).ok());
  CHECK(domain.status().message().find("-1") != std::string::npos);
}

TEST_CASE("scopes: what may be a parent, and what may be a stream's") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  CHECK(domain.get_scope("a", PredefinedScope::kCurrentHwMachine).id() != 0);
  CHECK(domain.get_scope("b", PredefinedScope::kCurrentVm).id() != 0);
  CHECK(domain.get_scope("c", PredefinedScope::kNone).id() != 0);
  CHECK(domain.get_scope("e", {.static_id = 1u << 25}).id() == 1u << 25);
  CHECK(domain.status().ok());
  CHECK(domain.get_scope("f", PredefinedScope::kCurrentSwThread).id() == 0);
  CHECK(domain.status().message().find("\"f\"") != std::string::npos);
  CHECK_FALSE(
      s.session.create_stream("s", {.domain = domain, .scope = PredefinedScope::kCurrentOs}).ok());
  CHECK(s.session.create_stream("t", {.domain = domain, .scope = PredefinedScope::kRoot}).ok());
  CHECK(s.session.create_stream("u", {.domain = domain, .scope = Scope::from_static_id(1u << 26)})
            .ok());
}

TEST_CASE("a numbered category has its name, and keeps it") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  domain.name_category(7, "seven");
  stream.write_mark(1, {.category = 7});
  stream.write_mark(2, {.category = 8});
  CHECK(domain.status().ok());
  domain.name_category(7, "seven");
  CHECK(domain.status().ok());
  domain.name_category(7, "sieben");
  CHECK(domain.status().message().find("\"seven\"") != std::string::npos);
  domain.name_category(0, "none");
  const auto& events = s.events();
  REQUIRE(events.size() == 2);
  CHECK(events[0].category == "seven");
  CHECK(events[1].category.empty());
  CHECK(events[1].event.category_id == 8);
}

TEST_CASE("resources are told to the backend without harm") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  domain.register_resource(ResourceType::kGenericHandle, 42, "the lock");
  CHECK(s.end().problems.empty());
}

std::string library() {
  const char* path = std::getenv("TEST_BACKEND_LIBRARY");
  REQUIRE(path != nullptr);
  return path;
}

std::string scratch(const char* name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/" + name;
}

TEST_CASE("a loaded backend is shared by sessions, and closing it ends them") {
  Result<Backend> backend = Backend::load(library());
  REQUIRE(backend.ok());
  CHECK(backend->is_open());
  CHECK(backend->path() == library());
  Backend second = *Backend::load(library());
  const std::string first_path = scratch("a.rsj"), second_path = scratch("b.rsj");
  Session a =
      *Session::begin("a", {.backend = *backend, .output = first_path, .config = "format=journal"});
  Session b = *Session::begin(
      "b", {.backend = *backend, .output = second_path, .config = "format=journal"});
  a.create_stream("s").write_mark(1);
  b.create_stream("s").write_mark(2);
  CHECK(backend->close().ok());
  CHECK(backend->close().ok());
  CHECK_FALSE(backend->is_open());
  CHECK_FALSE(a.is_recording());
  CHECK(a.stats().recorded == 1);
  CHECK(std::filesystem::file_size(first_path) > 0);
  CHECK(std::filesystem::file_size(second_path) > 0);
  CHECK(a.end().ok());  // has ended

  Result<Session> late = Session::begin("late", {.backend = *backend});
  REQUIRE_FALSE(late.ok());
  CHECK(late.status().message().find("closed") != std::string::npos);

  // The library is still there for the other one, and after it for a new one.
  CHECK(Session::begin("c", {.backend = second, .config = "format=null"}).ok());
  CHECK(second.close().ok());
  Backend third = *Backend::load(library());
  CHECK(Session::begin("d", {.backend = third, .config = "format=null"}).ok());
  CHECK(third.close().ok());
}

TEST_CASE("closing a backend leaves sessions that name the library by its path alone") {
  const std::string path = scratch("named.rsj");
  Session session =
      *Session::begin("a", {.backend = library(), .output = path, .config = "format=journal"});
  Stream stream = session.create_stream("s");
  stream.write_mark(1);
  Backend backend = *Backend::load(library());
  CHECK(backend.close().ok());
  CHECK(session.is_recording());
  stream.write_mark(2);
  CHECK(session.end().ok());
  CHECK(session.stats().recorded == 2);
}

TEST_CASE("a forked child can close and set up what it has of its parent without waiting") {
  Backend backend = *Backend::load(library());
  Session session = *Session::begin("a", {.backend = backend, .config = "format=null"});
  Domain domain = session.get_domain("d");
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // a child that waits dies of it, and not by _exit
    const bool is_off = domain.get_scope("late").id() == 0 &&
                        !domain.get_counter<int64_t>("c").ok() &&
                        !session.create_stream("s").write_mark(1);
    const bool is_closed = backend.close().ok() && session.end().ok();
    ::_exit(is_off && is_closed ? 7 : 1);
  }
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(domain.get_scope("early").id() != 0);
  CHECK(backend.close().ok());
}

TEST_CASE("a backend that cannot be loaded is an error with NVTXW's code") {
  Result<Backend> missing = Backend::load("/nowhere/libnone.so");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.status().code() == ResultCode::kLibraryNotFound);
  CHECK(missing.status().message().find("/nowhere/libnone.so") != std::string::npos);
  CHECK(Backend().close().ok());
  CHECK_FALSE(Backend().is_open());
}

}  // namespace
