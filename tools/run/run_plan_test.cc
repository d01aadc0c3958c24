// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/run_plan.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

using namespace ringscribe;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

// A folder whose name needs care in a pattern.
struct Folder {
  Folder() {
    std::string name = fs::temp_directory_path() / "run_plan_XXXXXX";
    parent = mkdtemp(name.data());
    path = parent + "/100%p";
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(parent); }
  std::string as_pattern() const { return parent + "/100%%p"; }
  std::string parent, path;
};

tools::RunOptions of_command(const std::string& name) {
  tools::RunOptions options;
  options.command = {name};
  return options;
}

tools::RunPlan plan(const tools::RunOptions& options, const Folder& folder,
                    std::vector<std::string> users = {}) {
  return tools::plan_run(options, tools::Environment(std::move(users)), folder.path).value();
}

std::string refusal(const tools::RunOptions& options, const Folder& folder) {
  return tools::plan_run(options, tools::Environment(), folder.path).status().message();
}

std::string output(const tools::RunPlan& plan) {
  return std::string(plan.environment.get("RINGSCRIBE_OUTPUT"));
}

}  // namespace

TEST_CASE("the output is of the command's name and the format, in the current folder") {
  const Folder folder;
  const std::string here = folder.as_pattern() + "/";
  tools::RunOptions options = of_command("/usr/bin/app");
  CHECK(output(plan(options, folder)) == here + "app.pftrace");
  CHECK(plan(options, folder).environment.get("RINGSCRIBE_BACKEND") == "");
  CHECK(output(plan(options, folder, {"RINGSCRIBE_BACKEND=chrome"})) == here + "app.json");
  options.format = "journal";
  CHECK(output(plan(options, folder, {"RINGSCRIBE_BACKEND=chrome"})) == here + "app.rsj");
  CHECK(plan(options, folder).environment.get("RINGSCRIBE_BACKEND") == "journal");
  CHECK(plan(options, folder).warnings.empty());
  options.follow_forks = true;
  CHECK(output(plan(options, folder)) == here + "app-%p.rsj");
}

TEST_CASE("what a pattern would replace in the names of command and folder means itself") {
  const Folder folder;
  const tools::RunPlan planned = plan(of_command("./do%p"), folder);
  CHECK(output(planned) == folder.as_pattern() + "/do_p.pftrace");
  CHECK(tools::expand_pattern(planned.output, 7) == folder.path + "/do_p.pftrace");
}

TEST_CASE("a format that writes nothing has no output") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  CHECK(plan(options, folder).writes_output);
  options.format = "null";
  CHECK(output(plan(options, folder)) == "");
  CHECK(!plan(options, folder).writes_output);
}

TEST_CASE("--output is made absolute and keeps its patterns") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  options.output = "x-%t-100%%.rsj";
  CHECK(output(plan(options, folder)) == folder.as_pattern() + "/x-%t-100%%.rsj");
  options.output = folder.as_pattern() + "/y.rsj";
  CHECK(output(plan(options, folder, {"RINGSCRIBE_OUTPUT=z"})) == options.output);
}

TEST_CASE("with --follow-forks each process has its own output") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  options.follow_forks = true;
  const auto given = [&](const std::string& text) {
    options.output = text;
    const tools::RunPlan planned = plan(options, folder);
    CHECK(planned.warnings.size() == 1);
    return output(planned).substr(folder.as_pattern().size() + 1);
  };
  CHECK(given("x.rsj") == "x-%p.rsj");
  CHECK(given("x") == "x-%p");
  CHECK(given(".x") == ".x-%p");
  CHECK(given("./.x.rsj") == "./.x-%p.rsj");
  CHECK(given("100%%p.rsj") == "100%%p-%p.rsj");
  options.output = "%p.rsj";
  CHECK(plan(options, folder).warnings.empty());
  CHECK(output(plan(options, folder)) == folder.as_pattern() + "/%p.rsj");
}

TEST_CASE("what the user has set stays, unless an option says otherwise") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  const std::vector<std::string> users = {"RINGSCRIBE_OUTPUT=mine-%p.rsj",
                                          "RINGSCRIBE_BUFFER_SIZE=64K", "OTHER=x=y"};
  tools::RunPlan planned = plan(options, folder, users);
  CHECK(output(planned) == "mine-%p.rsj");
  CHECK(planned.output == "mine-%p.rsj");
  CHECK(planned.environment.get("RINGSCRIBE_BUFFER_SIZE") == "64K");
  CHECK(planned.environment.get("OTHER") == "x=y");
  options.buffer_size = "8MiB";
  options.overflow = "Block";
  options.categories = "-noise";
  options.domains = "a,b";
  planned = plan(options, folder, users);
  CHECK(planned.environment.get("RINGSCRIBE_BUFFER_SIZE") == "8MiB");
  CHECK(planned.environment.get("RINGSCRIBE_OVERFLOW") == "Block");
  CHECK(planned.environment.get("RINGSCRIBE_CATEGORIES") == "-noise");
  CHECK(planned.environment.get("RINGSCRIBE_DOMAINS") == "a,b");
  CHECK(planned.environment.pointers().size() == 7);  // no name twice
}

TEST_CASE("what of the user's is in the way is warned about") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  options.follow_forks = true;
  options.format = "journal";
  const tools::RunPlan planned =
      plan(options, folder, {"RINGSCRIBE_OUTPUT=mine.rsj", "NVTXW3_LIBRARY=/x.so"});
  CHECK(output(planned) == "mine.rsj");
  REQUIRE(planned.warnings.size() == 2);
  CHECK_THAT(planned.warnings[0], Contains("NVTXW3_LIBRARY=\"/x.so\""));
  CHECK_THAT(planned.warnings[1], Contains("RINGSCRIBE_OUTPUT=\"mine.rsj\" has no %p"));
}

TEST_CASE("a value that cannot be used is refused before anything runs") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  SECTION("buffer size") {
    options.buffer_size = "12 apples";
    CHECK(refusal(options, folder) ==
          "--buffer-size: RINGSCRIBE_BUFFER_SIZE=\"12 apples\" cannot be used: it takes a size "
          "such as 64KiB, 8M or 1G from 16KiB to 1GiB");
  }
  SECTION("buffer size out of bounds") {
    options.buffer_size = "16383";
    CHECK_THAT(refusal(options, folder), Contains("from 16KiB to 1GiB"));
    options.buffer_size = "16384";
    CHECK(refusal(options, folder) == "");
  }
  SECTION("overflow") {
    options.overflow = "explode";
    CHECK_THAT(refusal(options, folder),
               Contains("\"explode\"") && Contains("drop block overwrite"));
  }
  SECTION("format") {
    options.format = "protobuf";
    CHECK_THAT(refusal(options, folder),
               Contains("--format \"protobuf\"") && Contains("perfetto, journal, chrome"));
  }
  SECTION("library as format") {
    options.format = "./no.so";
    CHECK_THAT(refusal(options, folder), Contains("no such library"));
  }
  SECTION("a folder that is not there") {
    options.output = "sub/x.rsj";
    CHECK_THAT(refusal(options, folder), Contains("there is no folder \"" + folder.path + "/sub"));
  }
  SECTION("a folder as output") {
    options.output = folder.parent;
    CHECK_THAT(refusal(options, folder), Contains("that is a folder"));
    options.output = "./";
    CHECK_THAT(refusal(options, folder), Contains("that is a folder"));
  }
}

TEST_CASE("a folder may be the output of ctf") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  options.output = folder.as_pattern();
  options.format = "ctf";
  CHECK(refusal(options, folder) == "");
}

TEST_CASE("a library as format is named by its absolute path") {
  const Folder folder;
  tools::RunOptions options = of_command("app");
  fs::copy_file("/proc/self/exe", folder.path + "/lib.so");
  options.format = "./lib.so";
  const tools::RunPlan planned = plan(options, folder);
  CHECK(planned.environment.get("RINGSCRIBE_BACKEND") == folder.path + "/lib.so");
  CHECK(output(planned) == "");  // it knows
  options.format = "lib.so";     // on the library path
  CHECK(plan(options, folder).environment.get("RINGSCRIBE_BACKEND") == "lib.so");
}

TEST_CASE("a pattern is expanded for another process") {
  CHECK(tools::expand_pattern("/a/%p-%%p-%.x", 12) == "/a/12-%p-%.x");
  CHECK(tools::expand_pattern("%p%p", 12) == "1212");
  CHECK(tools::expand_pattern("", 12) == "");
  CHECK(tools::expand_pattern("%", 12) == "%");
}
