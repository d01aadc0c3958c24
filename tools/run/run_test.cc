// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/run.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace ringscribe;
using Words = std::vector<std::string>;

namespace {

struct Taken {
  Words command;
  Words line;  // what is left
};

Taken take(Words words) {
  words.insert(words.begin(), "ringscribe");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  Taken taken;
  taken.command = tools::take_command(count, arguments.data());
  taken.line = Words(words.begin() + 1, words.begin() + count);
  return taken;
}

}  // namespace

TEST_CASE("the command is what follows the first --") {
  const Taken taken = take({"run", "--format", "chrome", "--", "app", "--", "-x", "", "a b"});
  CHECK(taken.command == Words{"app", "--", "-x", "", "a b"});
  CHECK(taken.line == Words{"run", "--format", "chrome"});
}

TEST_CASE("without -- the command begins at the first word that is no option's") {
  Taken taken =
      take({"run", "--follow-forks", "-o", "x", "--format=chrome", "app", "--output", "y"});
  CHECK(taken.command == Words{"app", "--output", "y"});
  CHECK(taken.line == Words{"run", "--follow-forks", "-o", "x", "--format=chrome"});
  taken = take({"run", "app", "--", "x"});
  CHECK(taken.command == Words{"app", "--", "x"});
}

TEST_CASE("an option's value may begin with a dash, but -- is none") {
  CHECK(take({"run", "--categories", "-noise", "--", "app"}).command == Words{"app"});
  const Taken taken = take({"run", "--output", "--", "app"});
  CHECK(taken.command == Words{"app"});
  CHECK(taken.line == Words{"run", "--output"});
}

TEST_CASE("a line without a command") {
  CHECK(take({"run"}).command.empty());
  CHECK(take({"run", "--"}).command.empty());
  CHECK(take({"run", "--"}).line == Words{"run"});
  CHECK(take({"run", "--output"}).line == Words{"run", "--output"});
  CHECK(take({"run", "--help"}).line == Words{"run", "--help"});
}

TEST_CASE("the line of another subcommand is left alone") {
  const Taken taken = take({"recover", "--", "x"});
  CHECK(taken.command.empty());
  CHECK(taken.line == Words{"recover", "--", "x"});
  CHECK(take({}).command.empty());
}
