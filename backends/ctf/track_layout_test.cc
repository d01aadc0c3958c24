// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/track_layout.h"

#include <catch2/catch.hpp>
#include <set>

namespace ringscribe::ctf {
namespace {

using model::kNoTrack;
using model::Track;
using model::TrackKind;

constexpr int32_t kOurs = 1 << 30;

struct Rows {
  TrackLayout layout{{}, "the session"};
  // The row of the track that is added.
  const StreamDescription& add(const Track& track) {
    REQUIRE(layout.add(track).ok());
    return layout.row(layout.row_of(track.id));
  }
};

TEST_CASE("processes and threads of a scope path keep the system's numbers") {
  Rows rows;
  const auto& process = rows.add({0, kNoTrack, TrackKind::kProcess, "engine", "", 40, 0, 0});
  const auto& thread = rows.add({1, 0, TrackKind::kThread, "worker", "", 40, 41, 1});
  CHECK(process.vpid == 40);
  CHECK(process.vtid >= kOurs);
  CHECK(process.procname == "engine");
  CHECK(thread.vpid == 40);
  CHECK(thread.vtid == 41);
  CHECK(thread.procname == "engine");
  CHECK(thread.track == "worker");
}

TEST_CASE("what would be taken for another gets a number of ours and says why in its name") {
  Rows rows;
  rows.add({0, kNoTrack, TrackKind::kProcess, "engine", "", 40, 0, 0});
  rows.add({1, 0, TrackKind::kThread, "worker", "", 40, 41, 1});
  const auto& reused = rows.add({2, 0, TrackKind::kThread, "other", "", 40, 41, 2});
  CHECK(reused.vtid >= kOurs);
  CHECK(reused.track == "other (tid 41)");
  const auto& domain = rows.add({3, 0, TrackKind::kThread, "worker", "io", 40, 41, 1});
  CHECK(domain.vtid >= kOurs);
  CHECK(domain.track == "worker (io)");
  const auto& again = rows.add({4, kNoTrack, TrackKind::kProcess, "engine", "io", 40, 0, 0});
  CHECK(again.vpid == 40);
  const auto& renamed = rows.add({5, kNoTrack, TrackKind::kProcess, "second", "", 40, 0, 0});
  CHECK(renamed.vpid >= kOurs);
  CHECK(renamed.procname == "second (pid 40)");
  CHECK(rows.add({6, 5, TrackKind::kThread, "t", "", 40, 41, 1}).vtid == 41);
  for (const int64_t odd : {int64_t{0}, int64_t{-1}, int64_t{1} << 30, INT64_MAX}) {
    const uint32_t id = rows.layout.size() - 2;
    const auto& process = rows.add({id, kNoTrack, TrackKind::kProcess, "p", "", odd, 0, 0});
    CHECK(process.vpid > kOurs);
    CHECK(process.procname == "p (pid " + std::to_string(odd) + ")");
  }
}

TEST_CASE("other scopes and streams are threads, none of which is another's") {
  Rows rows;
  rows.add({0, kNoTrack, TrackKind::kScope, "Node[0]", "", 0, 0, 0});
  rows.add({1, 0, TrackKind::kScope, "GPU[1]", "", 0, 0, 0});
  const auto& deep = rows.add({2, 1, TrackKind::kScope, "Queue", "", 0, 0, 0});
  CHECK(deep.procname == "Node[0]");
  CHECK(deep.track == "GPU[1]/Queue");
  const auto& stream = rows.add({3, kNoTrack, TrackKind::kStream, "s", "", 0, 0, 0});
  CHECK(stream.procname == "the session");
  CHECK(stream.vpid == rows.layout.row(TrackLayout::kSessionRow).vpid);
  std::set<std::pair<int32_t, int32_t>> places;
  for (uint32_t row = 0; row < rows.layout.size(); ++row) {
    places.insert({rows.layout.row(row).vpid, rows.layout.row(row).vtid});
  }
  CHECK(places.size() == 6);
}

TEST_CASE("names are cut where packets have them, and have no byte that ends them") {
  Rows rows;
  const std::string much(70000, 'n');
  const auto& row = rows.add({0, kNoTrack, TrackKind::kStream, much, "", 0, 0, 0});
  CHECK(row.track.size() == StreamFile::kNameBytesMax);
  const auto& nul =
      rows.add({1, kNoTrack, TrackKind::kStream, std::string_view("a\0b", 3), "", 0, 0, 0});
  CHECK(nul.track == "a\xE2\x90\x80\x62");
}

TEST_CASE("ids out of turn and unknown parents are refused") {
  Rows rows;
  CHECK(rows.layout.add({1, kNoTrack, TrackKind::kStream, "s", "", 0, 0, 0}).code() ==
        ResultCode::kInvalidArgument);
  const Status orphan = rows.layout.add({0, 5, TrackKind::kScope, "s", "", 0, 0, 0});
  CHECK(orphan.message().find("track 5") != std::string::npos);
  CHECK_FALSE(rows.layout.add_counter({1, kNoTrack, "c", "", "", "", false}).ok());
  CHECK_FALSE(rows.layout.has(0));
  rows.add({0, kNoTrack, TrackKind::kStream, "s", "", 0, 0, 0});
  REQUIRE(rows.layout.add_counter({0, 0, "c", "", "", "", false}).ok());
  CHECK(rows.layout.counter_row(0) == rows.layout.row_of(0));
  REQUIRE(rows.layout.add_counter({1, kNoTrack, "c", "", "", "", false}).ok());
  CHECK(rows.layout.counter_row(1) == TrackLayout::kSessionRow);
}

TEST_CASE("files are named after tracks") {
  CHECK(TrackLayout::file_name(TrackLayout::kSessionRow) == "track_session");
  CHECK(TrackLayout::file_name(TrackLayout::kNotesRow) == "track_notes");
  CHECK(TrackLayout::file_name(2) == "track_0");
}

}  // namespace
}  // namespace ringscribe::ctf
