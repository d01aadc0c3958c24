// SPDX-License-Identifier: Apache-2.0
//
// print_lines JOURNAL: its events and samples, a line each (event_lines.h), without those of our
// own stream. Exit code 0: the journal is whole and finished.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/tests/support/event_lines.h"

int main(int count, char** arguments) {
  using namespace ringscribe;
  if (count != 2) {
    std::fprintf(stderr, "usage: print_lines JOURNAL\n");
    return 2;
  }
  std::vector<std::string> lines;
  model::Model model(std::make_unique<testing::EventLines>(&lines), "print_lines");
  auto summary = journal::replay(arguments[1], model);
  if (!summary.ok()) return summary.status().print();
  for (const std::string& line : lines)
    if (!line.starts_with("mark ringscribe ") && !line.starts_with("sample ringscribe/"))
      std::printf("%s\n", line.c_str());
  return summary->finished && !summary->damaged ? 0 : 1;
}
