// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/tracks.h"

#include <catch2/catch.hpp>
#include <cstdint>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {
namespace {

constexpr uint64_t kScope = NVTX_SCOPE_ID_STATIC_START;

struct Fixture {
  RecordingSink::Log log;
  RecordingSink sink{log};
  Tracks tracks{sink};

  void add(uint32_t domain, uint64_t id, const char* path, uint64_t parent = NVTX_SCOPE_NONE) {
    REQUIRE(tracks
                .add_scope(domain, domain == 0 ? "" : "net",
                           {sizeof(nvtxScopeAttr_t), path, parent, id})
                .ok());
  }
  uint32_t scope(uint32_t domain, uint64_t id) {
    uint32_t track = 0;
    REQUIRE(tracks.for_scope(domain, domain == 0 ? "" : "net", id, track).ok());
    return track;
  }
  uint32_t stream(const char* domain, const char* name) {
    uint32_t track = 0;
    REQUIRE(tracks.for_stream(domain, name, track).ok());
    return track;
  }
};

TEST_CASE_METHOD(Fixture, "tracks are announced at first use, parents first, once") {
  add(0, kScope, "Process[10:app]/Thread[1:11:main]");
  CHECK(log.tracks.empty());
  CHECK(scope(0, kScope) == 1);
  CHECK(scope(0, kScope) == 1);
  REQUIRE(log.tracks.size() == 2);
  CHECK(log.tracks[0].kind == TrackKind::kProcess);
  CHECK(log.tracks[0].parent == kNoTrack);
  CHECK(log.tracks[0].name == "app");
  CHECK(log.tracks[0].pid == 10);
  CHECK(log.tracks[1].kind == TrackKind::kThread);
  CHECK(log.tracks[1].parent == 0);
  CHECK(log.tracks[1].pid == 10);
  CHECK(log.tracks[1].tid == 11);
  CHECK(log.tracks[1].thread_number == 1);
}

TEST_CASE_METHOD(Fixture, "two domains share the same thread's track") {
  add(0, kScope, "Process[10:app]/Thread[1:11:main]");
  add(1, kScope, "Process[10:app]");
  add(1, kScope + 1, "Thread[1:11:main]", kScope);
  CHECK(scope(0, kScope) == scope(1, kScope + 1));
  CHECK(log.tracks.size() == 2);
  CHECK(log.tracks[1].domain.empty());
}

TEST_CASE_METHOD(Fixture, "the same text below different parents are different tracks") {
  add(1, kScope, "a/x");
  add(1, kScope + 1, "b/x");
  CHECK(scope(1, kScope) != scope(1, kScope + 1));
  REQUIRE(log.tracks.size() == 4);
  CHECK(log.tracks[3].name == "x");
  CHECK(log.tracks[3].parent == 2);
  CHECK(log.tracks[3].domain == "net");
}

TEST_CASE_METHOD(Fixture, "a thread outside of any process is a plain row") {
  add(0, kScope, "Thread[1:11:main]");
  scope(0, kScope);
  CHECK(log.tracks[0].kind == TrackKind::kScope);
  CHECK(log.tracks[0].name == "Thread[1:11:main]");
  CHECK(log.tracks[0].tid == 0);
}

TEST_CASE_METHOD(Fixture, "root, none, anchors and empty paths have no track of their own") {
  add(0, kScope, "", NVTX_SCOPE_CURRENT_HW_MACHINE);
  add(0, kScope + 1, nullptr);
  CHECK(scope(0, kScope) == kNoTrack);
  CHECK(scope(0, kScope + 1) == kNoTrack);
  CHECK(scope(0, NVTX_SCOPE_NONE) == kNoTrack);
  CHECK(scope(0, NVTX_SCOPE_ROOT) == kNoTrack);
  CHECK(scope(0, NVTX_SCOPE_CURRENT_SW_THREAD) == kNoTrack);
  CHECK(scope(0, NVTX_SCOPE_ID_DYNAMIC_START) == kNoTrack);
  CHECK(tracks.is_registered(0, NVTX_SCOPE_ROOT));
  CHECK(tracks.is_registered(0, kScope));
  CHECK_FALSE(tracks.is_registered(1, kScope));
  add(0, kScope + 2, "GPU[0]", NVTX_SCOPE_CURRENT_VM);
  CHECK(scope(0, kScope + 2) == 0);
  add(0, kScope + 3, "", kScope + 2);
  CHECK(scope(0, kScope + 3) == 0);
}

TEST_CASE_METHOD(Fixture, "a static scope that nobody registered is a row by its number") {
  const uint32_t number = scope(0, 16777300);
  CHECK(scope(0, 16777300) == number);
  CHECK(scope(1, 16777300) != number);
  REQUIRE(log.tracks.size() == 2);
  CHECK(log.tracks[0].name == "scope 16777300");
  CHECK(log.tracks[0].kind == TrackKind::kScope);
  CHECK(log.tracks[1].domain == "net");
  CHECK_FALSE(tracks.is_registered(0, 16777300));
  // A path of the same words is another row.
  add(0, kScope, "scope 16777300");
  CHECK(scope(0, kScope) == 2);
  add(0, 16777300, "Process[10:app]");
  CHECK(scope(0, 16777300) == 3);
  CHECK(log.tracks[3].kind == TrackKind::kProcess);
}

TEST_CASE_METHOD(Fixture, "a parent that is not registered is refused") {
  const nvtxScopeAttr_t attr = {sizeof(nvtxScopeAttr_t), "x", kScope + 5, kScope};
  const Status status = tracks.add_scope(0, "", attr);
  CHECK(status.code() == ResultCode::kInvalidArgument);
  CHECK(status.message().find("16777221") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a stream's track is by domain and name") {
  CHECK(stream("", "s") == 0);
  CHECK(stream("net", "s") == 1);
  CHECK(stream("", "s") == 0);
  REQUIRE(log.tracks.size() == 2);
  CHECK(log.tracks[1].kind == TrackKind::kStream);
  CHECK(log.tracks[1].domain == "net");
  CHECK(log.tracks[1].parent == kNoTrack);
}

TEST_CASE_METHOD(Fixture, "the sink's failure is handed on") {
  add(0, kScope, "a");
  log.answer = Status(ResultCode::kFailed, "disk full");
  uint32_t track = 0;
  CHECK(tracks.for_scope(0, "", kScope, track).message() == "disk full");
  CHECK(tracks.for_stream("", "s", track).message() == "disk full");
}

}  // namespace
}  // namespace ringscribe::model
