// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/run_report.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace ringscribe;

TEST_CASE("each line of the report is a process") {
  const tools::Report report =
      tools::parse_report("12\t3\t0\t/a/b c.pftrace\n13\t18446744073709551615\t1\t\n");
  REQUIRE(report.lines.size() == 2);
  CHECK(report.unreadable == 0);
  CHECK(report.lines[0].pid == 12);
  CHECK(report.lines[0].events == 3);
  CHECK(report.lines[0].lost == 0);
  CHECK(report.lines[0].output == "/a/b c.pftrace");
  CHECK(report.lines[1].events == UINT64_MAX);
  CHECK(report.lines[1].lost == 1);
  CHECK(report.lines[1].output == "");
}

TEST_CASE("an empty report has no processes, and a last line needs no end") {
  CHECK(tools::parse_report("").lines.empty());
  CHECK(tools::parse_report("").unreadable == 0);
  const tools::Report report = tools::parse_report("1\t2\t3\tx");
  REQUIRE(report.lines.size() == 1);
  CHECK(report.lines[0].output == "x");
}

TEST_CASE("a tab in a path is the path's") {
  CHECK(tools::parse_report("1\t2\t3\ta\tb\n").lines.at(0).output == "a\tb");
}

TEST_CASE("what is no line of a report is counted") {
  for (const char* text : {"\n", "1\n", "1\t2\t3\n", "1\t2\tx\ta\n", "-1\t2\t3\ta\n", "\t1\t2\t3\n",
                           "18446744073709551616\t2\t3\ta\n", "1 2 3 a\n"}) {
    INFO(text);
    const tools::Report report = tools::parse_report(text);
    CHECK(report.lines.empty());
    CHECK(report.unreadable == 1);
  }
}

TEST_CASE("a line is said with its path as seen from the folder") {
  const auto said = [](const tools::ReportLine& line) { return tools::sentence(line, "/home/me"); };
  CHECK(said({1, 12345, 0, "/home/me/app.pftrace"}) == "app.pftrace: 12345 events, 0 lost");
  CHECK(said({1, 1, 7, "/home/me/sub/app.rsj"}) == "sub/app.rsj: 1 event, 7 lost");
  CHECK(said({1, 0, 0, "/home/mea/app.rsj"}) == "/home/mea/app.rsj: 0 events, 0 lost");
  CHECK(said({9, 2, 0, ""}) == "process 9, no output: 2 events, 0 lost");
  CHECK(tools::without_folder("/home/me", "/home/me") == "/home/me");
}

TEST_CASE("the report's folder is this user's alone, and goes when the report goes") {
  std::string path;
  {
    Result<tools::ReportFile> created = tools::ReportFile::create();
    REQUIRE(created.ok());
    const tools::ReportFile file = std::move(*created);
    path = file.path();
    struct stat state = {};
    REQUIRE(stat(std::filesystem::path(path).parent_path().c_str(), &state) == 0);
    CHECK((state.st_mode & 0777) == 0700);
    CHECK(file.read() == "");
    std::ofstream(path, std::ios::app) << "1\t2\t3\tx\n";
    CHECK(file.read() == "1\t2\t3\tx\n");
  }
  CHECK(!std::filesystem::exists(std::filesystem::path(path).parent_path()));
}

TEST_CASE("a folder for temporary files that is not there is named") {
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  setenv("TMPDIR", "/no/such/folder", 1);
  const Result<tools::ReportFile> created = tools::ReportFile::create();
  if (before == nullptr) unsetenv("TMPDIR");
  if (before != nullptr) setenv("TMPDIR", saved.c_str(), 1);
  CHECK_THAT(created.status().message(),
             Catch::Contains("/no/such/folder") && Catch::Contains("TMPDIR"));
}
