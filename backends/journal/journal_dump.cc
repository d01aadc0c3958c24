// SPDX-License-Identifier: Apache-2.0
//
// journal_dump FILE: prints each recorded call as one line of JSON (call_printer.h), before them a
// line {"call": "session", ...} and after them a line {"call": "summary", ...}.
// Exit code: 0 if the journal is whole and finished, 1 if it cannot be read at all, 2 if it is
// truncated or damaged (what is whole was printed).
#include <cstdio>
#include <string>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/journal_reader.h"

namespace {

void print_line(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ringscribe;
  if (argc != 2) {
    std::fprintf(stderr, "usage: journal_dump FILE.rsj\n");
    return 1;
  }
  Result<journal::JournalInfo> info = journal::read_header(argv[1]);
  if (!info.ok()) return info.status().print();
  print_line(journal::session_line(info.value()));
  journal::CallPrinter printer(print_line);
  Result<journal::ReplaySummary> summary = journal::replay(argv[1], printer);
  if (!summary.ok()) return summary.status().print();
  print_line(journal::summary_line(summary.value()));
  return summary->finished && !summary->damaged ? 0 : 2;
}
