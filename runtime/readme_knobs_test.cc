// SPDX-License-Identifier: Apache-2.0
//
// The README's table of knobs is that of knobs.cc: same names, in order, with the same defaults.
#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "ringscribe/runtime/knobs.h"

namespace ringscribe::runtime {
namespace {

struct Row {
  std::string name, default_value;
};

std::vector<Row> rows_of_readme() {
  std::ifstream file("README.md");
  std::vector<Row> rows;
  const std::string begin = "| `RINGSCRIBE_";
  for (std::string line; std::getline(file, line);) {
    if (line.find(begin) != 0) continue;
    const size_t name_end = line.find('`', 3);
    const size_t cell = line.find("| ", name_end) + 2;
    rows.push_back({line.substr(3, name_end - 3), line.substr(cell, line.find(" |", cell) - cell)});
  }
  return rows;
}

TEST_CASE("the README's table of knobs is the program's") {
  const std::vector<Row> rows = rows_of_readme();
  REQUIRE(rows.size() == knobs().size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Knob& knob = knobs()[i];
    CHECK(rows[i].name == knob.name);
    CHECK(rows[i].default_value ==
          (knob.default_value[0] == '\0' ? "(unset)" : knob.default_value));
  }
}

}  // namespace
}  // namespace ringscribe::runtime
